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
  ["pt", "às dez e vinte pessoas", "às 10 e 20 pessoas"],
  ["pt", "as dez e vinte meninas", "as 10 e 20 meninas"],
  ["es", "a la una y veinte niños llegaron", "a la una y 20 niños llegaron"],
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
  ["pt", "às dez e vinte", "às 10h20"],
  ["pt", "às sete e quinze da manhã", "às 7h15 da manhã"],
  ["pt", "à uma e vinte", "à 1h20"],
  ["es", "a la una y veinte", "a la 1:20"],
  ["es", "es la una y veinte", "es la 1:20"],
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
  ["pt", "um milhão e duzentos mil"],
  ["pt", "um milhão e duzentos mil reais"],
  ["pt", "dois milhões e vinte mil pessoas"],
  ["es", "un millón y doscientos mil"],
])("%s: a number that is written in parts stays in words: %s", (language, said) => {
  expect(write(said, language)).toBe(said);
});

test.each([
  ["it", "cinque euro e cinquanta", "5,50 €"],
  ["it", "cinque euro e venti persone", "5 € e 20 persone"],
  ["es", "cinco euros y cincuenta", "5,50 €"],
  ["es", "cinco euros y veinte personas", "5 € y 20 personas"],
  ["pt", "cinco reais e cinquenta", "R$ 5,50"],
  ["es", "tengo cinco euros y veinte dólares", "tengo 5 € y 20 $"],
  ["pt", "dois milhões e meio", "2 milhões e meio"],
  ["es", "entre diez y veinte personas", "entre 10 y 20 personas"],
  ["es", "entre diez y seis mil euros", "entre 10 y 6000 €"],
  ["es", "a las diez y seis", "a las 10:06"],
  ["es", "treinta y uno", "31"],
  ["nl", "honderd en twintig", "120"],
  ["nl", "tussen honderd en tweeduizend euro", "tussen € 100 en € 2000"],
  ["it", "tra cento e duecento euro", "tra 100 e 200 €"],
  ["de", "100 und 20 Euro", "100 und 20 €"],
  ["de", "zwanzig und dreißig Euro", "20 und 30 €"],
])("%s: numbers of one grammar, and two numbers: %s", (language, said, written) => {
  expect(write(said, language)).toBe(written);
});

test.each([
  ["fr", "tous les deux à vingt heures", "tous les deux à 20 heures"],
  ["fr", "tous les deux à onze heures", "tous les deux à 11 heures"],
  ["fr", "Il y en a un à cinq euros.", "Il y en a un à 5 €."],
  ["es", "Hay uno a cinco kilómetros.", "Hay uno a 5 km."],
  ["es", "Salimos los tres a once kilómetros", "Salimos los tres a 11 km"],
  ["it", "Siamo in due a dieci chilometri", "Siamo in due a 10 km"],
  ["pt", "Há um a cinco quilômetros daqui.", "Há um a 5 km daqui."],
])("%s: a number before a place, a time or a price begins no range: %s", (language, said, written) => {
  expect(write(said, language)).toBe(written);
});

test.each([
  ["fr", "deux à trois pour cent", "2 à 3 %"],
  ["fr", "de deux à onze personnes", "de 2 à 11 personnes"],
  ["es", "de tres a quince personas", "de 3 a 15 personas"],
  ["it", "da due a dieci chilometri", "da 2 a 10 km"],
  ["it", "due o tre chilometri", "2 o 3 km"],
  ["pt", "de dois a cinco quilômetros", "de 2 a 5 km"],
  ["de", "fünf bis zehn Kilometer", "5 bis 10 km"],
])("%s: a range has one form: %s", (language, said, written) => {
  expect(write(said, language)).toBe(written);
});
