import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ProviderServer } from "../../../test/fixtures/language-model.ts";
import { transcription, utterance } from "../../../test/fixtures/utterances.ts";
import { runAddon } from "./addon.ts";
import { identifiersIn } from "./identifiers.ts";
import { redactionAddon } from "./redaction.ts";
import { redactionProblems } from "./redaction-types.ts";
import { namesAddon } from "./wording.ts";

async function redact(types: string | string[], language: string, ...texts: string[]) {
  const input = {
    transcription: transcription(...texts),
    params: { pii_redaction_config: { entity_types: types } },
    providers: {},
  };
  input.transcription.utterances = input.transcription.utterances.map((one) => ({ ...one, language }));
  const answer = await runAddon(redactionAddon, input, 1_000);
  return { answer, texts: input.transcription.utterances.map(({ text }) => text) };
}

describe("entities found by their form", () => {
  test.each([
    ["PCI", "my card is 4111 1111 1111 1111", ["4111", "1111"]],
    ["PCI", "my card is four one one one one one one one one one one one one one one one thanks", ["one"]],
    ["PCI", "4111-1111-1111-1111, expires 12/27, the security code is 123.", ["4111", "12/27", "123"]],
    ["PCI", "it expires in twelve twenty seven and the CVV is one two three", ["twelve", "twenty seven", "one two"]],
    ["PCI", "IBAN DE89 3704 0044 0532 0130 00 please", ["DE89", "0044", "00 please"]],
    ["SSN", "my social is 078-05-1120", ["078"]],
    ["SSN", "social security number 078 05 1120", ["078", "1120"]],
    ["SSN", "social security number 078051120", ["078051120"]],
    ["SSN", "my social security number is oh seven eight oh five one one two oh", ["seven", "five"]],
    ["PHONE_NUMBER", "call 555-123-4567", ["555"]],
    ["PHONE_NUMBER", "call +44 20 7946 0958", ["7946"]],
    ["PHONE_NUMBER", "call five five five one two three four five six seven", ["five", "seven"]],
    ["PHONE_NUMBER", "phone six oh seven five five five oh one double four", ["double", "seven"]],
    ["EMAIL_ADDRESS", "write to john dot doe at example dot com now", ["john", "doe", "example"]],
    ["EMAIL_ADDRESS", "it is bob at example dot co dot uk", ["bob", "example"]],
    ["EMAIL_ADDRESS", "it is anna@example.com.", ["anna"]],
    ["LOCATION_ADDRESS", "I live at 210 12th Avenue.", ["210", "12th"]],
    ["LOCATION_ADDRESS", "I live at two hundred and ten Forty Second Street.", ["ten", "Forty"]],
    ["LOCATION_ZIP", "the zip is 90210", ["90210"]],
    ["LOCATION_ZIP", "he lives at SW1A 1AA", ["SW1A", "1AA"]],
    ["DATE", "on March 3rd 2024 and on 12/05/2021", ["March", "2024", "2021"]],
    ["DOB", "born on the fifth of March nineteen eighty four", ["March", "eighty"]],
    ["NAME", "This is Sasha Brown.", ["Sasha", "Brown"]],
    ["NAME_GIVEN", "This is Sasha Brown.", ["Sasha"]],
    ["LOCATION", "I live in Paris.", ["Paris"]],
    ["AGE", "I am forty two years old", ["forty"]],
    ["USERNAME", "my username is sunny99", ["sunny99"]],
    ["PASSPORT_NUMBER", "my passport number is C01X00T47", ["C01X00T47"]],
    ["LOCATION_ADDRESS", "I live at 42 Wallaby Way", ["42", "Wallaby"]],
  ])("%s: %s", async (type, text, gone) => {
    const { answer, texts } = await redact(type, "en", text);
    expect(answer.error).toBeNull();
    for (const part of gone) expect(texts[0]).not.toContain(part);
    expect(texts[0]).toMatch(/\[[A-Z_]+_1\]/);
  });

  test.each([
    [
      "de",
      "PCI",
      "meine Karte ist vier eins eins eins eins eins eins eins eins eins eins eins eins eins eins eins danke",
      "eins",
    ],
    ["de", "EMAIL_ADDRESS", "anna Punkt schmidt at example Punkt de", "schmidt"],
    ["fr", "PHONE_NUMBER", "zéro six douze trente-quatre cinquante-six soixante-dix-huit", "douze"],
    ["es", "DATE", "nací el tres de mayo de 1984", "mayo"],
    ["it", "BANK_ACCOUNT", "IBAN IT60 X054 2811 1010 0000 0123 456", "X054"],
    ["nl", "EMAIL_ADDRESS", "jan apenstaartje example punt nl", "jan"],
  ])("%s, %s: %s", async (language, type, text, gone) => {
    const { answer, texts } = await redact(type, language, text);
    expect(answer.error).toBeNull();
    expect(texts[0]).not.toContain(gone);
  });

  test("a number over two utterances is found", async () => {
    const { texts } = await redact("PCI", "en", "my card is 4111 1111", "1111 1111 thank you");
    expect(texts.join(" ")).not.toMatch(/1111/);
    expect(texts[1]).toContain("thank you");
  });

  test("amounts, years and words are left", async () => {
    const text = "In 2019, 2020 and 2021 we sold 1,200,000 at $25.50 to 365 people at home.";
    expect((await redact("PCI", "en", text)).texts[0]).toBe(text);
    const list = "The sizes are ten, twenty, thirty and then forty. Born on one of five, six or seven.";
    expect((await redact(["PCI", "DOB"], "en", list)).texts[0]).toBe(list);
    expect((await redact("PHONE_NUMBER", "en", text)).texts[0]).toBe(text);
    expect((await redact("EMAIL_ADDRESS", "en", text)).texts[0]).toBe(text);
  });
});

describe("types that cannot be found are refused", () => {
  test.each([
    "HEALTH_INFORMATION",
    "GDPR_SENSITIVE",
    "APPI_SENSITIVE",
    "HIPAA_SAFE_HARBOR",
    "CONDITION",
    "RELIGION",
    "PASSWORD",
  ])("%s", async (type) => {
    expect(redactionProblems(type)).toHaveLength(1);
    expect((await redact(type, "en", "I have diabetes, I am a Catholic")).answer.success).toBe(false);
  });
  test("types that do not exist are named, with the nearest one", () => {
    expect(redactionProblems(["EMAIL_ADRESS"])[0]).toMatch(/EMAIL_ADRESS.*did you mean EMAIL_ADDRESS/);
  });
  test("in other languages only types with a form", async () => {
    expect(redactionProblems("PCI", ["de"])).toEqual([]);
    expect(redactionProblems("GDPR", ["de"])[0]).toMatch(/NAME/);
    expect(redactionProblems("PCI", ["ru"])).toHaveLength(1);
    expect((await redact("NAME", "de", "Ich bin Anna")).answer.success).toBe(false);
  });
  test("the default and the presets that can be found are accepted", () => {
    for (const type of [
      undefined,
      "GDPR",
      "PCI",
      "APPI",
      "CPRA",
      "CCI",
      "LIDI",
      "QUEBEC_PRIVACY_ACT",
      "CORE_ENTITIES",
      "NUMERICAL_EXCL_PCI",
    ])
      expect(redactionProblems(type)).toEqual([]);
  });
});

test("words keep their times", async () => {
  const input = {
    transcription: transcription("call 555 123 4567 now"),
    params: { pii_redaction_config: { entity_types: "PHONE_NUMBER" } },
    providers: {},
  };
  await runAddon(redactionAddon, input, 1_000);
  const [own] = input.transcription.utterances;
  const given = utterance("call 555 123 4567 now");
  expect(own?.words.map(({ word, start, end }) => [word, start, end])).toEqual([
    ["call", given.words[0]?.start, given.words[0]?.end],
    [" [PHONE_NUMBER_1]", given.words[1]?.start, given.words[3]?.end],
    [" now", given.words[4]?.start, given.words[4]?.end],
  ]);
});

test.each([
  ["SSN", "en", "SSN one two three, four five, six seven eight nine."],
  ["SSN", "en", "My social is one two three. Four five. Six seven eight nine."],
  ["PHONE_NUMBER", "de", "Ruf an: null eins sieben eins, zwei drei vier fünf sechs sieben acht."],
  ["PHONE_NUMBER", "en", "My phone is triple five, one two double three four four four."],
  ["CREDIT_CARD", "en", "My card is forty two forty two forty two forty two, forty two forty two forty two forty two."],
  ["CREDIT_CARD", "en", "It is 42 four two 4242, double four twenty two forty two forty two."],
  ["PHONE_NUMBER", "en", "Call me at five five five, twelve thirty four."],
  ["PHONE_NUMBER", "en", "My number is oh seven nine double five, twelve sixty three eighty eight."],
  ["PHONE_NUMBER", "fr", "Mon numéro: zéro six, quarante-deux, quatre-vingt-dix-huit, double cinq, soixante et onze."],
  [
    "CREDIT_CARD",
    "de",
    "Die Karte: zweiundvierzig zweiundvierzig zweiundvierzig zweiundvierzig vier zwei vier zwei vier zwei vier zwei.",
  ],
  ["CREDIT_CARD", "en", "Card four one one one, one one one one, one one one one, one one one one."],
  [
    "CREDIT_CARD",
    "en",
    "It is four five three nine. Um, one four eight eight. Uh, oh three four three, and six four six seven.",
  ],
  ["CREDIT_CARD", "en", "The card is 4539. Okay. 1488. Uh-huh. 0343, and then six four six seven."],
  [
    "CREDIT_CARD",
    "de",
    "Die Karte: vier fünf drei neun, ähm, eins vier acht acht. Ja. Null drei vier drei und sechs vier sechs sieben.",
  ],
  ["SSN", "en", "My social security number is one twenty three forty five sixty seven eighty nine."],
  ["ACCOUNT_NUMBER", "en", "The account number is twelve thirty four fifty six seventy eight."],
  ["PHONE_NUMBER", "en", "My cell is two one two, five five five, one thousand."],
  ["DOB", "en", "My date of birth is oh three fourteen eighty five."],
  ["DOB", "en", "She was born on eleven, two, nineteen seventy one."],
  ["DOB", "de", "Geboren am vierzehn drei fünfundachtzig."],
  ["CVV", "en", "CVV four fifty six."],
  ["CVV", "en", "The security code is one twenty three."],
  ["SSN", "en", "The end of my social is sixty seven eighty nine."],
  ["NUMERICAL_PII", "en", "My pin is forty three twenty one."],
  ["NUMERICAL_PII", "de", "Meine PIN ist dreiundvierzig einundzwanzig."],
  ["ACCOUNT_NUMBER", "en", "The account ending in forty four thirty two."],
  ["ACCOUNT_NUMBER", "en", "My account number is twelve thirty four, thank you."],
  ["CREDIT_CARD_EXPIRATION", "en", "What's the expiry date? Oh six twenty eight."],
  ["DOB", "en", "I was born May the fifth, nineteen eighty two."],
  ["DOB", "en", "My date of birth is 3 14 85."],
  ["DATE", "de", "Es war am 3. 3. 85."],
  ["PHONE_NUMBER", "en", "Call oh seven seven treble five one two three four."],
  ["CREDIT_CARD", "en", "The card is four treble one, four treble one four treble one four treble one."],
  ["PHONE_NUMBER", "en", "It's one eight hundred five five five twelve twelve."],
  [
    "CREDIT_CARD",
    "en",
    "The card number is four one one one dash one one one one dash one one one one dash one one one one.",
  ],
  ["CREDIT_CARD", "en", "The card number is 4111 hyphen 1111 hyphen 1111 hyphen 1111."],
  ["PHONE_NUMBER", "en", "Call four one five dash five five five dash one two one two."],
  ["PHONE_NUMBER", "de", "Meine Nummer ist null eins sieben eins Strich zwei drei Strich vierundvierzig Strich fünf."],
  ["PHONE_NUMBER", "es", "Mi número es seiscientos doce guión treinta y cuatro guión cincuenta y seis guión diez."],
  [
    "CREDIT_CARD",
    "en",
    "The card is four five three two... um... one one oh nine... uh... one two three four... five six seven eight.",
  ],
  ["CREDIT_CARD", "en", "My card is forty one hundred, eleven eleven, eleven eleven, eleven eleven."],
  ["PHONE_NUMBER", "en", "0800 double 1 double 1"],
  ["PHONE_NUMBER", "en", "Call 0800 double one triple 2."],
  ["EMAIL_ADDRESS", "en", "Write to j doe one two three at yahoo dot co dot uk."],
  ["EMAIL_ADDRESS", "en", "It is john dot doe eighty five at gmail dot com."],
  ["DOB", "en", "My birthday is the twelfth of March, eighty five."],
  ["DOB", "en", "My birthday is March twelfth eighty five."],
  ["LOCATION_ZIP", "en", "My zip is ten thousand one."],
  ["LOCATION_ZIP", "en", "My zip is nine four one ten."],
  ["LOCATION_ZIP", "en", "The zip code is ninety four one ten."],
  ["IP_ADDRESS", "en", "The server is 192 dot 168 dot 1 dot 20."],
  ["IP_ADDRESS", "en", "The server is ten dot zero dot zero dot one."],
  ["IP_ADDRESS", "en", "The server is one ninety two dot one sixty eight dot one dot twenty."],
])("%s in %s: no digit of a number said in groups is left: %s", async (type, language, text) => {
  const [redacted = ""] = (await redact(type, language, text)).texts;
  expect(redacted).not.toMatch(
    /\d(?!\])|\b(?:one|two|three|four|five|six|seven|eight|nine|thousand|null|eins|zwei|drei|sieben|acht|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)\b/i,
  );
  expect(redacted).toContain(`[${type}_1]`);
});

test.each([
  ["DOB", "My birthday is March the third.", ["March", "third"]],
  ["EMAIL_ADDRESS", "Write to jane, at, example, dot com.", ["jane", "example"]],
  ["EMAIL_ADDRESS", "Write to jane at outlook dot jp please.", ["jane", "outlook"]],
  ["EMAIL_ADDRESS", "It is j doe one two three at yahoo dot co dot uk.", ["doe", " j ", "uk"]],
  ["EMAIL_ADDRESS", "It is john dot doe eighty five at gmail dot com.", ["john", "doe"]],
  ["EMAIL_ADDRESS", "It is J O H N at gmail dot com.", ["J", "O H"]],
  ["EMAIL_ADDRESS", "Write to ravi at rediff dot in.", ["ravi", "rediff"]],
])("%s: %s", async (type, text, gone) => {
  const [redacted = ""] = (await redact(type, "en", text)).texts;
  for (const part of gone) expect(redacted).not.toContain(part);
  expect(redacted).toContain(`[${type}_1]`);
});

test.each([
  "My account manager will call you at nine thirty.",
  "The account fee is four fifty a month.",
  "The account was opened twenty thirty years ago.",
  "I opened the account in nineteen eighty four.",
  "The tax is four fifty.",
  "The social event begins at six thirty.",
  "The password has sixty ninety signs.",
  "We sold forty four thirty two inch screens.",
  "May the first person begin, and look at the dot on the wall.",
  "He may third it, at dot and dash.",
  "Scores of 3 14 and 85 were common.",
  "It takes ten... twenty... thirty minutes.",
  "We saw fifteen dash twenty cars and a dash of blue.",
  "They sold twenty one hundred, then thirty five hundred cars.",
  "Her zip line is four fifty.",
  "It needs version two dot ten, or version 3.14.85.",
  "Count to one point two, then two point three.",
])("other numbers are left: %s", async (text) => {
  const types = ["PCI", "SSN", "NUMERICAL_PII", "ACCOUNT_NUMBER", "PHONE_NUMBER", "EMAIL_ADDRESS", "IP_ADDRESS", "DOB"];
  const [redacted] = (await redact(types, "en", text)).texts;
  if (/nineteen eighty/.test(text)) expect(redacted).toMatch(/^I opened the account/);
  else expect(redacted).toBe(text);
});

test.each(["a underscore b dash", "triple one", "double"])(
  "identifiers are found in linear time, whatever is said: %s",
  (said) => {
    // A search of the rest of the text for each word exceeds the time limit of a test.
    const { utterances } = transcription(`${`${said} `.repeat(16_000)}and write to anna@example.com`);
    const found = identifiersIn(utterances).filter(({ types }) => types.includes("EMAIL_ADDRESS"));
    expect(found.map(({ text }) => text)).toContain("anna@example.com");
  },
);

test.each(["1-", "www."])("identifiers are found in linear time in text without spaces: %s", (said) => {
  const { utterances } = transcription(`${said.repeat(40_000)} and www.shop.example.com`);
  const found = identifiersIn(utterances).filter(({ types }) => types.includes("URL"));
  expect(found.map(({ text }) => text)).toContain("www.shop.example.com");
});

describe("with a language model", () => {
  let provider: ProviderServer;
  beforeAll(async () => {
    provider = await ProviderServer.start();
  });
  afterAll(() => provider.stop());
  const languageModel = () => ({
    url: `${provider.base}/v1`,
    key: "",
    model: "m",
    timeoutSeconds: 10,
    mostTokens: 1e6,
  });

  async function redactedByModel(texts: readonly string[], language: string, entity_types: string | string[]) {
    const given = transcription(...texts);
    for (const one of given.utterances) one.language = language;
    const params = { pii_redaction_config: { entity_types } };
    const answer = await runAddon(
      redactionAddon,
      { transcription: given, params, providers: { languageModel: languageModel() } },
      10_000,
    );
    return { answer, texts: given.utterances.map(({ text }) => text) };
  }

  test("names are found in a language without rules, wherever the same name stands", async () => {
    provider.answer = () => ({ content: JSON.stringify({ items: [{ line: 0, type: "NAME", text: "Anna Berg" }] }) });
    const { texts } = await redactedByModel(
      ["Ich bin Anna Berg.", "Anna Berg wohnt hier, Annabelle nicht."],
      "de",
      "NAME",
    );
    expect(texts).toEqual(["Ich bin [NAME_1].", "[NAME_1] wohnt hier, Annabelle nicht."]);
  });

  test("names of which the model gives another line, or that overlap, are replaced everywhere", async () => {
    const items = [
      { line: 2, type: "NAME", text: "Müller," },
      { line: 1, type: "NAME_GIVEN", text: "Anna" },
      { line: 9, type: "NAME", text: "Lena Vogt" },
      { line: 0, type: "NAME", text: "Anna Müller" },
    ];
    provider.answer = () => ({ content: JSON.stringify({ items }) });
    const { texts } = await redactedByModel(
      ["Das ist Anna Müller, ja.", "Herr Müller kennt Lena Vogt.", "Anna kommt."],
      "de",
      ["NAME", "NAME_GIVEN"],
    );
    expect(texts).toEqual(["Das ist [NAME_1], ja.", "Herr [NAME_2] kennt [NAME_3].", "[NAME_GIVEN_1] kommt."]);
  });

  test("a name that the model finds in one language is replaced in the others", async () => {
    provider.answer = () => ({ content: JSON.stringify({ items: [{ line: 0, type: "NAME", text: "Ouyang" }] }) });
    const given = transcription("Das ist Ouyang.", "ask ouyang or Ouyang");
    for (const [at, one] of given.utterances.entries()) one.language = at === 0 ? "de" : "en";
    const params = { pii_redaction_config: { entity_types: "NAME" } };
    const input = { transcription: given, params, providers: { languageModel: languageModel() } };
    await runAddon(redactionAddon, input, 10_000);
    expect(given.utterances.map(({ text }) => text)).toEqual(["Das ist [NAME_1].", "ask ouyang or [NAME_1]"]);
  });

  test("a combining mark is a part of the word before it", async () => {
    const items = [
      { line: 0, type: "NAME", text: "राम" },
      { line: 1, type: "NAME", text: "अंजली।" },
    ];
    provider.answer = () => ({ content: JSON.stringify({ items }) });
    const { texts } = await redactedByModel(["यह राम है, रामी नहीं।", "यह अंजली है।"], "hi", "NAME");
    expect(texts).toEqual(["यह [NAME_1] है, रामी नहीं।", "यह [NAME_2] है।"]);
  });

  test("types without rules are found in English, and the request names these alone", async () => {
    provider.answer = () => ({
      content: JSON.stringify({ items: [{ line: 0, type: "CONDITION", text: "diabetes" }] }),
    });
    const { texts } = await redactedByModel(["She has diabetes."], "en", "CONDITION");
    expect(texts).toEqual(["She has [CONDITION_1]."]);
    expect(provider.lastPrompt).toMatch(/of these types: CONDITION,/);
    expect(redactionProblems("HEALTH_INFORMATION", ["de"], true)).toEqual([]);
  });

  test("a model that fails fails the redaction", async () => {
    provider.answer = () => ({ status: 400 });
    expect((await redactedByModel(["Ich bin Anna."], "de", "NAME")).answer.success).toBe(false);
  });

  test("name_consistency uses its names in a language without rules", async () => {
    const names = ["Katharina", "Katharina", "Catharina"];
    provider.answer = () => ({
      content: JSON.stringify({ items: names.map((text, line) => ({ line, type: "NAME_GIVEN", text })) }),
    });
    const given = transcription("Katharina kommt.", "Wo ist Katharina?", "Catharina ist da.");
    for (const one of given.utterances) one.language = "de";
    const answer = await runAddon(
      namesAddon,
      { transcription: given, params: {}, providers: { languageModel: languageModel() } },
      10_000,
    );
    expect(answer.results).toBe("Catharina → Katharina");
    expect(given.utterances[2]?.text).toBe("Katharina ist da.");
  });

  test("name_consistency lists no names beside a redacted transcript", async () => {
    const given = transcription("My name is Katharina Miller.", "Katharina called.", "This is Catharina Miller.");
    const params = { name_consistency: true, pii_redaction: true };
    const answer = await runAddon(namesAddon, { transcription: given, params, providers: {} }, 10_000);
    expect(given.utterances[2]?.text).toBe("This is Katharina Miller.");
    expect(answer.results).toBe("1 changed, not listed because of pii_redaction");
  });
});
