import { describe, expect, test } from "vitest";
import { utterance } from "../../../test/fixtures/utterances.ts";
import { isSentenceEnd, splitSentences, textSentences } from "./sentences.ts";

describe("the full stop of an abbreviation", () => {
  test.each([
    ["en", "We met Mr. Jones of St. Louis, approx. five of us, i.e. all. He left."],
    ["en", "J. R. Smith of the U. S. Government spoke. We listened."],
    ["en", "See No. 5 of Vol. II. No. I do not."],
    ["en", "It was the U.S. Army, etc. and so on. But who?"],
    ["de", "Das ist z.B. Dr. Maier bzw. Hr. Weber am 3. Januar. Er kam."],
    ["fr", "C'est M. Dupont, p.ex. avec Mme. Blanc. Il vient."],
    ["es", "Habla el Sr. Pérez de EE. UU. con la Dra. Ruiz. Ella viene."],
    ["it", "Il Sig. Rossi e la Dott. Bianchi, ecc. e altri. Lui viene."],
    ["pt", "O Sr. Silva da Av. Paulista, aprox. dez. Ele vem."],
    ["en", "On Sat. 5 or Tues. Nov. 3, Jan. 6 and Sept. 11 at Univ. of Texas. We sat. It was sunny."],
    ["de", "Dr. med. Braun von Fa. Müller, Hauptstr. 5, Abb. 4. Wir gehen."],
    ["fr", "Le 3 janv. 2020, le 5 déc. au soir. Il vient."],
    ["it", "L'Avv. Bianchi e dell'ing. Rossi. Lui viene."],
    ["ru", "Это г. Москва, ул. Ленина, д. 5, т.е. А. С. Пушкин здесь. Конец дня."],
    ["pl", "To jest ul. Długa, np. dr. Nowak, prof. Kowalski, godz. 5 rano. Koniec dnia."],
    ["sv", "Det är t.ex. dr. Svensson, bl.a. kl. 5 här. Slut nu."],
    ["nl", "Dhr. de Vries, bijv. met drs. Bakker, enz. en zo. Hij komt."],
  ])("ends no sentence in %s: %s", (language, text) => {
    const sentences = splitSentences([{ ...utterance(text), language }]).map(({ sentence }) => sentence);
    expect(sentences.join(" ")).toBe(text);
    expect(sentences).toEqual(textSentences(text, language));
    for (const sentence of sentences) {
      expect(sentence.split(" ").length, sentence).toBeGreaterThanOrEqual(sentence === "No." ? 1 : 2);
      expect(sentence).not.toMatch(
        /(?:Mr|St|Dr|J|Sat|Tues|Nov|Jan|Sept|Univ|med|Fa|str|Abb|janv|déc|Avv|ing|г|ул|А|С|т\.е|ul|np|prof|godz|t\.ex|bl\.a|kl|U|approx|z\.B|Hr|bzw|3|M|Sr|EE|Dra|Sig|Dott|Av|aprox|[Dd]hr|bijv|drs)\.$/,
      );
    }
  });

  test.each([
    ["en", "The book is by J. A. Adams. It sold."],
    ["en", "He met C. I. A. in Virginia. It rained."],
    ["en", "Two tbsp. of sugar on 5 sq. ft. by 10 in. tall. We stopped."],
    ["en", "Det. Smith met Insp. Jones. He left."],
    ["en", "Cpt. Hook and Fr. Brown live in Bldg. 5, Apt. 3, Rm. 12, Ste. 100. They stay."],
    ["en", "He read Vol. I and Art. I twice. I stay."],
    ["en", "Mx. Taylor and Br. John read Chap. 4, Sect. 2, Para. 6. They stay."],
    ["en", "Govt. House is near Intl. Airport Road. They stay."],
    ["de", "Im 19. Jh. Roms Erben, mind. 5, gem. Art. 5 und Ziff. 3. Das reicht."],
    ["de", "Es war 44 v. Chr. in Rom, und Heinrich VIII. war dort. Es regnete."],
    ["de", "Dipl.-Ing. Meier nimmt zehn Euro pro Std. zzgl. Steuer. Das reicht."],
    ["fr", "C'est p. ex. le chat, c.-à-d. deux mètres, du gén. de Gaulle. Il vient."],
    ["fr", "Le Pr. Martin a un tél. et un chat. Il vient."],
    ["es", "Los Sres. Gómez y el Arq. López del depto. de ventas. Ella viene."],
    ["es", "Mide dos cm. de largo, dice S. A. Martín. Ella viene."],
  ])("stands inside the first of two sentences in %s: %s", (language, text) => {
    expect(textSentences(text, language)).toHaveLength(2);
  });

  test.each([
    ["en", "hello there. how are you. i am fine. it is raining.", 4],
    ["en", "Thank you. um, I think so. uh, okay.", 3],
    ["en", "It was 1999. it was cold. he put in a tbsp. It was good.", 4],
    ["en", "That is apt. The rest is in the next bldg. We go there.", 3],
    ["ka", "დღეს კარგი ამინდია. ჩვენ პარკში წავედით. ბავშვები თამაშობდნენ.", 3],
    ["af", "Dit is goed. 'n Man kom in. 'n Vrou gaan uit.", 3],
    ["nl", "Het regent. 's Morgens is het koud. 't Is mooi.", 3],
    ["el", "είναι καλά. πάμε σπίτι.", 2],
    ["fr", "Il passe le col. Elle monte.", 2],
    ["en", "He is a decent chap. I like him. That is apt. I agree. He joined a sect. I was worried.", 6],
    ["en", "We replaced the old MX. The mail works. No. I don't think so.", 4],
    ["en", "I paid the govt. Nobody helped.", 2],
    ["de", "Er sagte: Never mind. Das war gut.", 2],
  ])("sentences in small letters stay apart in %s: %s", (language, text, count) => {
    expect(textSentences(text, language)).toHaveLength(count);
  });

  test("names that begin with a small letter begin sentences", () => {
    expect(textSentences("I like it. iPhone is a name. n8n too. macOS is old.")).toHaveLength(4);
    expect(textSentences("This is vitamin C. I know it. Is it A? a is a letter.")).toHaveLength(4);
  });

  test("a Korean syllable is a word, not an initial", () => {
    const said = { ...utterance("네. 그렇습니다. 왜. 그래요?"), language: "ko" };
    expect(splitSentences([said]).map(({ sentence }) => sentence)).toEqual(["네.", "그렇습니다.", "왜.", "그래요?"]);
  });

  test("ends a sentence before a word that begins one, and at the end of a text", () => {
    expect(splitSentences([utterance("He came at 3 p.m. The door was open.")])).toHaveLength(2);
    expect(splitSentences([utterance("They moved to the U.S. We stayed.")])).toHaveLength(2);
    expect(isSentenceEnd("etc.", undefined)).toBe(true);
    expect(isSentenceEnd("Mr.", undefined)).toBe(false);
    expect(isSentenceEnd("No.", "But")).toBe(true);
    expect(isSentenceEnd("No.", "12")).toBe(false);
    expect(isSentenceEnd("house", "The")).toBe(false);
    expect(isSentenceEnd("到了。", "他", "zh")).toBe(true);
  });
});
