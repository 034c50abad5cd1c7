// Numbers that are no identifiers, and the nearest ones that are.
import { expect, test } from "vitest";
import { transcription } from "../../../test/fixtures/utterances.ts";
import { identifiersIn } from "./identifiers.ts";

/** Kinds of the identifiers in a text, without those that any date of months has. */
function kindsIn(language: string, text: string): string[] {
  const { utterances } = transcription(text);
  const found = identifiersIn(utterances.map((utterance) => ({ ...utterance, language })));
  return [...new Set(found.flatMap(({ types }) => types))].filter((type) => type !== "CREDIT_CARD_EXPIRATION");
}

test.each([
  ["en", "My account was charged thirty nine ninety nine."],
  ["en", "Your account is past due eighty nine fifty."],
  ["en", "Your account was credited forty two fifty."],
  ["en", "My account is forty two fifty short."],
  ["en", "My passport appointment is ten thirty."],
  ["en", "My driver's license test is ten thirty."],
  ["en", "My social security went up twelve fifty."],
  ["en", "The dress code is seven thirty."],
  ["en", "The code review starts ten thirty."],
  ["de", "Das Konto wurde mit zwölf fünfzig belastet."],
  ["de", "Mein Konto zeigt zwölf fünfzig an."],
  ["es", "Mi cuenta subió doce cincuenta."],
  ["fr", "Mon compte a été débité de douze cinquante."],
  ["en", "Release one point zero point one point two is out."],
  ["en", "See chapter one point two point three point one."],
  ["en", "Version 1 dot 2 dot 3 dot 4."],
  ["en", "We moved from version 1 dot 2 dot 3 dot 4 to 1 dot 2 dot 3 dot 5."],
  ["de", "Version eins Punkt zwei Punkt drei Punkt vier ist da."],
  ["de", "Siehe Abschnitt 1 Punkt 2 Punkt 3 Punkt 4."],
  ["es", "La versión uno punto dos punto tres punto cuatro."],
  ["en", "Our twins were born 3 5 10 minutes apart."],
  ["en", "My kids were born 2, 4, 10 years ago."],
  ["en", "My kids were born two, four, ten years ago."],
  ["de", "Wir treffen uns am 12. 5. 14 Uhr"],
  ["de", "Er kam am 3. 10. 20 Leute sahen es."],
  ["en", "We meet at red dot. No, blue dot."],
])("in %s, no identifier is in: %s", (language, text) => {
  expect(kindsIn(language, text)).toEqual([]);
});

test.each([
  ["BANK_ACCOUNT", "en", "My account number is twelve thirty four, thank you."],
  ["BANK_ACCOUNT", "en", "The account number on file is twelve thirty four."],
  ["CVV", "en", "My security code's one twenty three."],
  ["CVV", "en", "The CVV you asked, one twenty three."],
  ["BANK_ACCOUNT", "en", "The account ends in forty four thirty two."],
  ["BANK_ACCOUNT", "en", "The last four digits of my account are forty four thirty two."],
  ["BANK_ACCOUNT", "de", "Die Kontonummer ist zwölf vierunddreißig."],
  ["BANK_ACCOUNT", "de", "Mein Konto endet auf zwölf vierunddreißig."],
  ["BANK_ACCOUNT", "es", "El número de cuenta es doce treinta y cuatro."],
  ["BANK_ACCOUNT", "fr", "Le numéro de compte est douze trente-quatre."],
  ["PASSPORT_NUMBER", "en", "My passport number is twelve thirty four."],
  ["DRIVER_LICENSE", "en", "My driver's license is twelve thirty four."],
  ["SSN", "en", "The end of my social is sixty seven eighty nine."],
  ["NUMERICAL_PII", "en", "The access code is twelve thirty four."],
  ["NUMERICAL_PII", "en", "My pin, that's forty three twenty one."],
  ["IP_ADDRESS", "en", "My IP address is ten point zero point zero point one."],
  ["IP_ADDRESS", "en", "It is one ninety two point one sixty eight point one point twenty."],
  ["IP_ADDRESS", "en", "We run version two on the server and 10.0.0.1."],
  ["IP_ADDRESS", "de", "Der Server ist zehn Punkt null Punkt null Punkt eins."],
  ["DOB", "en", "I was born 3 14 85 in Boston."],
  ["DOB", "de", "Sie ist geboren am 3. 3. 85 in Berlin."],
  ["DATE", "de", "Es war am 3. 3. 85 in Berlin."],
  ["DATE", "de", "Am 3. 3. 85 war er da."],
  ["EMAIL_ADDRESS", "en", "Write to ravi at rediff dot in."],
])("%s in %s: %s", (type, language, text) => {
  expect(kindsIn(language, text)).toContain(type);
});
