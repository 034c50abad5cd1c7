// Opens an address in the user's browser.
import { spawn } from "node:child_process";
import { errors } from "../platform/errors.ts";

/** Programs that open an address in the browser, by platform. */
const OPENERS: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** @throws browser.missing */
export async function openInBrowser(address: string): Promise<void> {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, address], { stdio: "ignore", detached: true });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", () => reject(errors.browserMissing(program)));
  });
  child.unref();
}
