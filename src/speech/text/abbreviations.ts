// The abbreviations of each language, whose full stop ends no sentence: the one table for sentences, captions, translation, paragraphs and
// summaries.

import { LAST_MARKS } from "./bare-word.ts";

const wordsOf = (text: string) => text.trim().split(/\s+/);

/**
 * Where a sentence may end behind an abbreviation:
 * - never: the sentence always continues ("Mr.", "approx.")
 * - unless-number: unless a number follows ("No. 5"); otherwise it is a word ("No.")
 * - before-starter: only before a word that begins sentences ("etc. The", "the U.S. But")
 */
type Kind = "never" | "unless-number" | "before-starter";

interface Abbreviations {
  never?: string;
  number?: string;
  either?: string;
  /** Words that begin sentences, in small letters; without them, any word with a capital letter may. */
  starters?: string;
}

const COMMON: Abbreviations = {
  never: "dr prof st ca cf tel",
  number: "vol cap art max",
  either: "etc inc ltd co corp jr sr vs",
};

const LANGUAGES: Readonly<Record<string, Abbreviations>> = {
  en: {
    never:
      "mr mrs ms messrs mt rev gen sen gov capt lt col sgt cpl pvt maj adm cmdr supt det insp hon pres vs approx eg ie viz " +
      "dept est asst assoc ave blvd cpt mx fr br",
    // Days and months that are words, too, are abbreviations before a day alone: "Sat. 5".
    number: "no nos pp p ch chap fig figs eq sec sect para vols ext apt bldg rm ste sat sun mar jun",
    either:
      "jan feb apr jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri univ ft rep govt intl natl etc inc ltd co corp bros jr sr esq rd ln hwy al ph sq tbsp tsp oz lb " +
      "lbs yd yds hr hrs min mins",
    starters:
      "the a an he she it we they you i this that these those there here and but so or if when while after before because since " +
      "in on at for from as with what who why how where which is are was were do does did can could would will should may my our " +
      "your his her its their no not yes well now then also however although though let all some many most one two another please " +
      "nobody everybody everyone somebody someone nothing something everything maybe perhaps each every thank thanks okay ok today tomorrow yesterday",
  },
  de: {
    never:
      "hr hrn fr frl bzw vgl evtl ggf inkl exkl zzgl min insb bspw sog allg geb gest ing dipl dipl.-ing z d u zb dh ua mio mrd bes " +
      "ehem gegr jr sen fa med jur phil rer nat",
    number: "nr abs s bd kap abb tab ziff",
    either: "jan feb apr aug sept okt nov dez usw etc str co u.a chr std jh jhd mind gem",
    starters:
      "der die das ein eine er sie es wir ihr ich du und aber denn doch oder wenn als weil da dann nach vor bei in im am auf mit von " +
      "was wer wie wo warum dies dieser diese dieses so auch nun jetzt hier dort man ja nein nicht heute morgen gestern",
  },
  fr: {
    never: "m mm mlle mme me pr c.-à-d ste env min réf éd av apr mgr boul gén cdt tél p.ex ex",
    number: "n nos p pp chap",
    either: "janv févr avr juil sept oct nov déc etc bd cie",
    starters:
      "le la les un une des il elle on nous vous ils elles je tu ce cette ces et mais ou donc or car si quand comme puis alors dans en à " +
      "au pour par avec sur que qui quoi où comment pourquoi non oui ne c'est j'ai aujourd'hui demain hier",
  },
  es: {
    never:
      "sra sres sras srta d dª dña dra dres ud uds vd lic ing arq profa av avda sto sta gral cnel depto dpto aprox ej p.ej mín máx ee c",
    number: "núm pág págs",
    either: "etc uu cía",
    starters:
      "el la los las un una él ella ellos nosotros yo tú usted y pero o si cuando como porque pues entonces en a al para por con sobre " +
      "que qué quién cómo dónde no sí es era fue hoy mañana ayer este esta esto ese esa eso",
  },
  pt: {
    never: "sra srs sras d dra eng profa av sto sta aprox ex máx mín exmo exma r",
    number: "núm n pág págs",
    either: "etc ltda cia",
    starters:
      "o a os as um uma ele ela eles nós eu tu você e mas ou se quando como porque pois então em no na para por com sobre que quem onde " +
      "não sim é era foi hoje amanhã ontem este esta isto esse essa isso",
  },
  it: {
    never: "sig sigg sig.ra sig.na sigra signa dott dott.ssa prof.ssa ing avv arch geom on sen cfr es min gent.mo s v",
    number: "n pag pagg",
    either: "ecc etc",
    starters:
      "il lo la i gli le un una uno lui lei noi voi loro io tu e ma o se quando come perché poi allora in a al per con su che chi dove non " +
      "sì è era fu oggi domani ieri questo questa quello quella",
  },
  nl: {
    never: "dhr mevr mw ir ing drs mr ds bijv bv evt incl excl jl resp vgl min d.w.z o.a",
    number: "nr blz",
    either: "enz etc",
    starters:
      "de het een hij zij ze wij we jullie ik jij je u en maar of want als toen omdat dan na voor bij in op aan met van wat wie waar hoe " +
      "waarom dit dat deze die zo ook nu hier daar er ja nee niet vandaag morgen gisteren",
  },
};

const SHORT_LANGUAGES: Readonly<Record<string, Abbreviations>> = {
  ru: { never: "г ул д им проф акад гр тыс стр рис напр пр наб обл р-н т.е т.к св", either: "руб т.д т.п др млн млрд" },
  uk: { never: "м вул буд ім проф акад гр тис стор рис напр просп обл т.е св", either: "грн т.д т.п ін млн млрд" },
  pl: {
    never: "ul np tzn tj nr prof mgr inż im al pl św ok str pkt godz hab lek gen pow woj",
    either: "itd itp r w zł tys",
  },
  cs: { never: "ul např tzn tj č ing mgr bc mudr judr phdr tř nám sv str resp", either: "atd apod r kč tis" },
  sv: { never: "t.ex bl.a kl nr dvs s.k ca fr hr resp sid tel", either: "osv m.m mm etc" },
  da: { never: "f.eks bl.a kl nr dvs ca fru hr resp s tlf", either: "osv m.m mv etc" },
  no: { never: "f.eks bl.a kl nr dvs ca fru hr resp s tlf", either: "osv m.m mv etc" },
};

function tableOf({ never, number, either }: Abbreviations): [string, Kind][] {
  const kinds: [string | undefined, Kind][] = [
    [either, "before-starter"],
    [number, "unless-number"],
    [never, "never"],
  ];
  return kinds.flatMap(([list, kind]) =>
    list === undefined ? [] : wordsOf(list).map((word): [string, Kind] => [word, kind]),
  );
}

const TABLES = new Map(
  Object.entries({ ...LANGUAGES, ...SHORT_LANGUAGES }).map(([language, own]) => [
    language,
    {
      kinds: new Map([...tableOf(COMMON), ...tableOf(own)]),
      starters: own.starters === undefined ? undefined : new Set(wordsOf(own.starters)),
    },
  ]),
);
/** For languages without a table: the common abbreviations, and English titles. */
const OTHERS: { kinds: Map<string, Kind>; starters?: Set<string> } = {
  kinds: new Map([...tableOf(COMMON), ["mr", "never"], ["mrs", "never"], ["ms", "never"]] as [string, Kind][]),
};

/** A word, its full stop, and what may close behind it. */
const STOPPED = /^\s*["'“‘«([{¿¡]*(\p{L}[\p{L}\p{M}.'’-]*)\.["'”’»)\]]*$/u;
/** A letter, or letters with a full stop each: "J.", "U.S.", "z.B.", "Ph.D.". A Korean syllable is a word. */
const INITIALS = /^(?!\p{Script=Hangul})\p{L}$|^\p{L}{1,3}(?:\.-?\p{L}{1,3})+$/u;
const INITIAL = /^\s*["'“‘«([{¿¡]*\p{Lu}\.["'”’»)\]]*$/u;
/** Initials after which the sentence always continues. */
const LEADING = /^(?:e\.g|i\.e|z\.b|d\.h|u\.a|o\.a|d\.w\.z|p\.ex|p\.ej|v\.chr|s\.o)$/;
/** A day or century in German: "am 3. Januar". */
const GERMAN_ORDINAL = /^\s*\d{1,2}\.$/;
/** An article before the abbreviation: "l'avv.". */
const ELIDED = /^\p{L}{1,5}['’]/u;
/** "Hauptstr." */
const GERMAN_STREET = /^\p{L}{3,}str$/u;

/** English abbreviations that are words in small letters: "a decent chap." */
const CAPITALISED = /^\s*["'“‘«([{¿¡]*(?:chap|sect|para|apt)\./u;
/** English abbreviations that are names in capitals: "the old MX." */
const NOT_IN_CAPITALS = /^\s*["'“‘«([{¿¡]*(?:MX|FR|BR|CPT)\./u;

function kindOf(word: string, language: string): Kind | undefined {
  if (language === "en" && (CAPITALISED.test(word) || NOT_IN_CAPITALS.test(word))) return undefined;
  if (language === "de" && GERMAN_ORDINAL.test(word)) return "before-starter";
  const core = STOPPED.exec(word)?.[1]?.toLowerCase();
  if (core === undefined) return undefined;
  const { kinds, starters } = TABLES.get(language) ?? OTHERS;
  const known = kinds.get(core) ?? (/^(?:fr|it)$/.test(language) ? kinds.get(core.replace(ELIDED, "")) : undefined);
  if (known !== undefined) return known;
  if (language === "de" && GERMAN_STREET.test(core)) return "before-starter";
  if (LEADING.test(core)) return "never";
  // Where no table says which words begin sentences, a letter is an initial: "A. S. Puschkin".
  if (starters === undefined && INITIAL.test(word)) return "never";
  return INITIALS.test(core) ? "before-starter" : undefined;
}

/** Whether a word in small letters often begins sentences; false in languages without a table. */
export const isStarter = (word: string, language: string): boolean =>
  TABLES.get(language)?.starters?.has(word) === true;

/** Whether a table has the words that begin sentences in a language. */
export const hasStarters = (language: string): boolean => TABLES.get(language)?.starters !== undefined;

/** Whether the full stop behind a word is, or may be, part of it. @param language  ISO 639 code */
export const isAbbreviation = (word: string, language = "en"): boolean => kindOf(word, language) !== undefined;

/** Whether the sentence probably continues behind a word with a full stop, where the next word is not known. */
export function probablyContinues(word: string, language = "en"): boolean {
  const kind = kindOf(word, language);
  return kind === "never" || kind === "before-starter";
}

/** @param behind  the abbreviation before it. In English, "I" is a number behind the name of a part alone: "Vol. I" */
const isNumber = (core: string, behind: string, language: string): boolean =>
  language === "en" && core === "I"
    ? /\b(?:Vols?|Art|Chap|Ch|Sect?|Fig)\./.test(behind)
    : /^\p{N}|^[IVXLC]+$/u.test(core);

/**
 * Whether the full stop of an abbreviation ends a sentence, too.
 * @param next  the word behind it; undefined at the end of a text
 */
export function abbreviationEnds(word: string, next: string | undefined, language = "en"): boolean {
  const kind = kindOf(word, language);
  if (kind === undefined) return true;
  if (kind === "never") return false;
  // "J. A. Adams", although "a" begins sentences.
  if (next !== undefined && INITIAL.test(word) && INITIAL.test(next)) return false;
  const core = next
    ?.trim()
    .replace(/^["'“‘«([{¿¡]+/u, "")
    .replace(LAST_MARKS, "");
  if (kind === "unless-number") return core === undefined || !isNumber(core, word, language);
  if (core === undefined) return true;
  if (!/^\p{Lu}/u.test(core)) return false;
  const starters = TABLES.get(language)?.starters;
  return starters === undefined || starters.has(core.toLowerCase());
}
