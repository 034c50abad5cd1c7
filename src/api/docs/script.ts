// Script of the documentation's pages: a button on each block of code that copies it. Without scripts, there is no button.
export const DOCS_SCRIPT = `"use strict";
for (const block of document.querySelectorAll(".code")) {
  const code = block.querySelector("code");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    let done = "Copied";
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      // Browsers allow copying only over https and on this machine: the text is selected for the keyboard.
      getSelection().selectAllChildren(code);
      done = "Press Ctrl+C";
    }
    button.textContent = done;
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  block.append(button);
}
`;
