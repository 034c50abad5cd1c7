import { expect, test } from "vitest";
import { transcriptionOf } from "../../service/transcripts/recognized-segments.ts";

const SAMPLES = 16_000;

/** The transcript of segments with pauses of this length between them. */
function joined(texts: readonly string[], pauseSeconds: number, language = "en"): string {
  let start = 0;
  const segments = texts.map((text) => {
    const from = start;
    const words = text.split(" ").map((word, at) => ({
      text: word,
      startSeconds: from + at / 4,
      endSeconds: from + (at + 1) / 4,
      confidence: 1,
    }));
    const end = from + words.length / 4;
    start = end + pauseSeconds;
    return { channel: 0, segment: { startSample: from * SAMPLES, endSample: end * SAMPLES }, language, words };
  });
  return transcriptionOf(segments).full_transcript;
}

test.each([
  [["Ask not.", "What your country can do for you."], "Ask not what your country can do for you."],
  [["Ask.", "Not.", "What your country can do."], "Ask not what your country can do."],
  [["This is the.", "First of the rooms."], "This is the First of the rooms."],
  [["We stayed because.", "It was late."], "We stayed because it was late."],
  [["He went to see my.", "I mean our doctor."], "He went to see my I mean our doctor."],
])("a pause inside a sentence leaves no full stop: %j", (texts, whole) => {
  expect(joined(texts, 1)).toBe(whole);
});

test.each([
  [["We went home.", "The door was open."]],
  [["Why not.", "What did he say?"]],
  [["Probably not.", "What now?"]],
  [["Hope not.", "It would be bad."]],
  [["Better not.", "It rains."]],
  [["Good morning.", "Not bad."]],
  [["Thank you.", "Not really."]],
  [["Finished.", "Not yet."]],
  [["Stop it.", "Not now."]],
  [["Oh my.", "That is big."]],
  [["I do not.", "We should go."]],
  [["That is what I think of.", "The rest is easy."]],
  [["He wanted to, but.", "Yeah, I know."]],
  [["We met at 3 p.m.", "The rain fell."]],
  [["Is it the?", "What a day."]],
])("sentences stay apart: %j", (texts) => {
  expect(joined(texts, 1)).toBe(texts.join(" "));
});

test.each([
  ["en", ["We went to the.", "store to."], ["my brother."], "We went to the store to my brother."],
  ["en", ["It was late. The.", "store was closed."], [], "It was late. The store was closed."],
  ["de", ["Wir treffen uns im.", "Haus, das."], [], "Wir treffen uns im Haus, das."],
  ["de", ["Er weiß, dass.", "Er kommt."], [], "Er weiß, dass er kommt."],
  ["de", ["Ich hoffe, dass.", "Sie kommen."], [], "Ich hoffe, dass Sie kommen."],
  ["fr", ["Il habite dans.", "Une maison."], [], "Il habite dans une maison."],
  ["es", ["Vamos con.", "El coche."], [], "Vamos con el coche."],
  ["it", ["Andiamo alla.", "Stazione."], [], "Andiamo alla Stazione."],
  ["pt", ["Ele gosta de.", "Um café."], [], "Ele gosta de um café."],
  ["nl", ["Hij kocht de.", "Auto."], [], "Hij kocht de Auto."],
])("in %s, a sentence continues behind a word that ends none: %j", (language, texts, more, whole) => {
  expect(joined([...texts, ...more], 1, language)).toBe(whole);
});

test.each([
  ["en", ["That is what I dreamed of.", "The rest is easy."]],
  ["en", ["Come in.", "iPhone users wait."]],
  ["en", ["Log in.", "Then click save."]],
  ["en", ["She is in the OR.", "The doctor waits."]],
  ["it", ["Oggi parliamo di AI.", "È una tecnologia nuova."]],
  ["it", ["Ho molti nei.", "Vado dal medico."]],
  ["it", ["Credo negli dei.", "Era tardi."]],
  ["pt", ["Tem muitos pelos.", "Ele dorme."]],
  ["pt", ["O site é ponto com.", "Depois ligue."]],
  ["fr", ["C'est une SA.", "Elle est grande."]],
  ["es", ["Pulsa la tecla Del.", "Luego cierra."]],
  ["de", ["Wer ist die.", "Er lacht."]],
  ["de", ["Komm mit.", "Wir gehen."]],
  ["de", ["Das weiß ich, und.", "Ja, gut."]],
  ["fr", ["Je suis pour.", "Il vient."]],
  ["es", ["Voy con el.", "Es tarde."]],
  ["es", ["Es para mi.", "Gracias."]],
  ["it", ["Vieni su.", "Andiamo."]],
  ["pt", ["Ele me da.", "Sim."]],
  ["nl", ["Doe het.", "Nu."]],
  ["pl", ["Jestem w.", "Domu."]],
])("in %s, words that may end a sentence end it: %j", (language, texts) => {
  expect(joined(texts, 1, language)).toBe(texts.join(" "));
});

test("a long pause ends a sentence, and other languages stay as recognised", () => {
  expect(joined(["Ask not.", "What your country can do."], 3)).toBe("Ask not. What your country can do.");
  expect(joined(["Das ist my.", "What nun."], 1, "de")).toBe("Das ist my. What nun.");
});

test("what another channel says in the pause ends the sentence, in digits and in words", () => {
  const segment = (channel: number, text: string, start: number) => ({
    channel,
    segment: { startSample: start * SAMPLES, endSample: start * SAMPLES + SAMPLES / 2 },
    language: "en",
    words: text.split(" ").map((word, at) => ({
      text: word,
      startSeconds: start + at / 8,
      endSeconds: start + (at + 1) / 8,
      confidence: 1,
    })),
  });
  const ask = segment(0, "Ask not.", 0);
  const country = segment(0, "What 12 countries did.", 1);
  const inPause = [ask, segment(1, "Pardon?", 0.5), country];
  expect(transcriptionOf(inPause).full_transcript).toBe("Ask not. Pardon? What 12 countries did.");
  expect(transcriptionOf(inPause, { numerals: false }).full_transcript).toBe(
    "Ask not. Pardon? What twelve countries did.",
  );
  const behind = [ask, country, segment(1, "Pardon?", 2)];
  expect(transcriptionOf(behind).full_transcript).toBe("Ask not what 12 countries did. Pardon?");
});
