import { expect, test } from "vitest";
import { spokenUtterance } from "../../../../test/fixtures/number-pairs.ts";
import { withNumerals } from "./numerals.ts";

const write = (spoken: string, language: string) => withNumerals(spokenUtterance(spoken, language)).text;

test.each([
  ["fr", "À dix heures vingt personnes sont venues.", "À 10 heures 20 personnes sont venues."],
  ["fr", "À dix heures vingt tables étaient prises.", "À 10 heures 20 tables étaient prises."],
  ["pt", "às dez horas e vinte crianças chegaram", "às 10 horas e 20 crianças chegaram"],
  ["pt", "às dez horas e vinte livros foram vendidos", "às 10 horas e 20 livros foram vendidos"],
  ["it", "alle tre e venti bambini", "alle tre e 20 bambini"],
  ["it", "alle tre e venti biglietti erano venduti", "alle tre e 20 biglietti erano venduti"],
  ["es", "a las tres y veinte niños llegaron", "a las tres y 20 niños llegaron"],
  ["es", "a las tres y veinte mesas estaban llenas", "a las tres y 20 mesas estaban llenas"],
  ["nl", "om tien uur twintig mensen", "om 10 uur 20 mensen"],
  ["de", "um zehn Uhr zwanzig Leute", "um 10 Uhr 20 Leute"],
])("%s: what a number counts is no minute: %s", (language, said, written) => {
  expect(write(said, language)).toBe(written);
});

test.each([
  ["fr", "À dix heures vingt le train part.", "À 10h20 le train part."],
  ["fr", "À dix heures vingt précises, on part.", "À 10h20 précises, on part."],
  ["fr", "À dix heures vingt ils sont venus.", "À 10h20 ils sont venus."],
  ["pt", "às dez horas e vinte eles chegaram", "às 10h20 eles chegaram"],
  ["it", "alle tre e venti sono arrivati", "alle 3:20 sono arrivati"],
  ["es", "a las tres y veinte vienes conmigo", "a las 3:20 vienes conmigo"],
  ["es", "a las tres y veinte llegaron los niños", "a las 3:20 llegaron los niños"],
  ["nl", "om tien uur twintig", "om 10.20 uur"],
  ["de", "um zehn Uhr zwanzig", "um 10:20 Uhr"],
])("%s: a time of day: %s", (language, said, written) => {
  expect(write(said, language)).toBe(written);
});

test.each([
  ["de", "ein tausend Euro"],
  ["de", "es kostet ein tausend zweihundert Euro"],
  ["de", "ein hundert Euro"],
  ["de", "hundert und zwanzig Euro"],
  ["nl", "honderd en twintigduizend euro"],
  ["nl", "tweehonderd en twintigduizend euro"],
  ["it", "mille e cinquecento euro"],
  ["it", "due mila e cinquecento euro"],
  ["it", "cento e venti euro"],
  ["es", "veinte y uno"],
  ["es", "diez y seis"],
  ["es", "veinte y uno por ciento"],
  ["es", "diez y seis mil euros"],
  ["es", "mil y quinientos euros"],
])("%s: a number that is written in parts stays in words: %s", (language, said) => {
  expect(write(said, language)).toBe(said);
});

test.each([
  ["es", "entre diez y veinte personas", "entre 10 y 20 personas"],
  ["es", "entre diez y seis mil euros", "entre 10 y 6000 €"],
  ["es", "a las diez y seis", "a las 10:06"],
  ["es", "treinta y uno", "31"],
  ["nl", "honderd en twintig", "120"],
  ["nl", "tussen honderd en tweeduizend euro", "tussen € 100 en € 2000"],
  ["it", "tra cento e duecento euro", "tra cento e 200 €"],
  ["de", "100 und 20 Euro", "100 und 20 €"],
  ["de", "zwanzig und dreißig Euro", "20 und 30 €"],
])("%s: numbers of one grammar, and two numbers: %s", (language, said, written) => {
  expect(write(said, language)).toBe(written);
});
