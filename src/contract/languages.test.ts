// Names of languages in answers of Whisper's interfaces.
import { expect, test } from "vitest";
import { LANGUAGES, languageCode, whisperName } from "./languages.ts";

/** Of openai/whisper (whisper/tokenizer.py), in its order. */
const WHISPER = `
  en english, zh chinese, de german, es spanish, ru russian, ko korean, fr french, ja japanese, pt portuguese, tr turkish, pl polish,
  ca catalan, nl dutch, ar arabic, sv swedish, it italian, id indonesian, hi hindi, fi finnish, vi vietnamese, he hebrew, uk ukrainian,
  el greek, ms malay, cs czech, ro romanian, da danish, hu hungarian, ta tamil, no norwegian, th thai, ur urdu, hr croatian, bg bulgarian,
  lt lithuanian, la latin, mi maori, ml malayalam, cy welsh, sk slovak, te telugu, fa persian, lv latvian, bn bengali, sr serbian,
  az azerbaijani, sl slovenian, kn kannada, et estonian, mk macedonian, br breton, eu basque, is icelandic, hy armenian, ne nepali,
  mn mongolian, bs bosnian, kk kazakh, sq albanian, sw swahili, gl galician, mr marathi, pa punjabi, si sinhala, km khmer, sn shona,
  yo yoruba, so somali, af afrikaans, oc occitan, ka georgian, be belarusian, tg tajik, sd sindhi, gu gujarati, am amharic, yi yiddish,
  lo lao, uz uzbek, fo faroese, ht haitian creole, ps pashto, tk turkmen, nn nynorsk, mt maltese, sa sanskrit, lb luxembourgish,
  my myanmar, bo tibetan, tl tagalog, mg malagasy, as assamese, tt tatar, haw hawaiian, ln lingala, ha hausa, ba bashkir, jw javanese,
  su sundanese, yue cantonese`;
const NAMES = WHISPER.split(",").map((entry) => /^(\S+) (.+)$/.exec(entry.trim())?.slice(1) as [string, string]);

test("each language of Whisper has Whisper's name, and there are no others", () => {
  expect(NAMES.map(([code]) => [code, whisperName(code)])).toEqual(NAMES);
  expect([...LANGUAGES].sort()).toEqual(NAMES.map(([code]) => code).sort());
});

test("a name is also accepted as a language, as are Whisper's other names", () => {
  for (const [code, name] of NAMES) expect(languageCode(name)).toBe(code);
  const others = { burmese: "my", valencian: "ca", flemish: "nl", haitian: "ht", castilian: "es", mandarin: "zh" };
  for (const [name, code] of Object.entries(others)) expect(languageCode(name)).toBe(code);
});

test.each([
  ["wo", "wolof"],
  ["pt-BR", "brazilian portuguese"],
  ["no language", "no language"],
])("%s, which is not Whisper's, is %s", (code, name) => {
  expect(whisperName(code)).toBe(name);
});
