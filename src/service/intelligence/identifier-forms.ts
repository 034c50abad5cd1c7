// Expressions that find dates, addresses and the like in a text by their form alone, in every language.

const DIGIT_NAMES: readonly string[] = [
  "zero oh o null nul zéro cero",
  "one eins een un une uno una um uma",
  "two zwei zwo twee deux dos dois duas due",
  "three drei drie trois tres três tre",
  "four vier quatre cuatro quatro quattro",
  "five fünf vijf cinq cinco cinque",
  "six sechs zes seis sei",
  "seven sieben zeven sept siete sete sette",
  "eight acht huit ocho oito otto",
  "nine neun negen neuf nueve nove",
];
export const DIGIT_OF = new Map(
  DIGIT_NAMES.flatMap((names, digit) => names.split(" ").map((name) => [name, String(digit)])),
);
const DIGIT_WORD = `(?:(?:double|triple|treble) )?(?:${[...DIGIT_OF.keys()].sort((left, right) => right.length - left.length).join("|")})`;
const DOT = "(?:dot|punkt|point|punto|ponto|punt)";
const AT = "(?:at|at sign|ät|arobase|arroba|chiocciola|apenstaartje|@)";
const TLD = "(?:com|org|net|edu|gov|io|co|uk|de|fr|es|it|nl|pt|eu|at|ch|be|ai|dev|app|info|me|ca|us|au|br|tv|biz)";
/** Top-level domains of countries after "at" and a host, which are no English words. */
const COUNTRY =
  "(?:ad|ae|af|ag|al|ao|ar|aw|az|ba|bd|bf|bg|bh|bj|bm|bn|bo|bs|bt|bw|by|bz|cc|cd|cf|cg|ci|cl|cm|cn|cr|cu|cv|cy|cz|dj|dk|dm|dz|ec|ee|eg|er|et|fi|fj|fm|fo|ga|gd|ge|gf|gg|gh|gi|gl|gm|gn|gp|gq|gr|gt|gy|hk|hn|hr|ht|hu|id|ie|il|im|iq|ir|je|jm|jo|jp|ke|kg|kh|km|kn|kr|kw|ky|kz|la|lb|lc|li|lk|lr|ls|lt|lu|lv|ly|ma|mc|md|mg|mk|ml|mm|mn|mo|mq|mr|mt|mu|mv|mw|mx|mz|na|nc|ne|nf|ng|ni|np|nz|om|pa|pe|pf|pg|ph|pk|pl|pm|pr|ps|py|qa|ro|rs|ru|rw|sa|sb|sc|sd|se|sg|si|sk|sl|sm|sn|sr|st|su|sv|sy|sz|td|tg|th|tj|tl|tm|tn|tr|tt|tw|tz|ua|ug|uy|uz|va|vc|ve|vg|vi|vn|vu|ws|ye|za|zm|zw|int|mil|pro|xyz|org|cat)";
/** Top-level domains that are English words, too: only at the end of a clause. */
const WORD_COUNTRY = "(?<!, )(?:am|as|do|in|is|my|no|so|to)(?=\\s*(?:[,.;:!?]|$))";
const EMAIL_TLD = `(?:(?:${TLD}|${COUNTRY})(?![\\p{L}\\p{N}])|${WORD_COUNTRY})`;
/** "Look at the dot" names no host. */
const NO_HOST =
  "(?!(?:the|a|an|this|that|each|every|any|some|my|your|his|her|its|our|their|der|die|das|dem|den|le|la|les|el|los|un|une|una|il|lo|os|as|het|een) )";
/** Between the words of a spoken address: the recogniser may write a pause as a mark. */
const STEP = "[,.]? ";
/** Before the last part of an address: "a red dot. No, a blue one" is none. */
const LAST_STEP = ",? ";
/** Part of the name of a host. Its greatest length bounds the work for text without spaces. */
const LABEL = "[\\p{L}\\p{N}-]{1,63}";
const SIGN = `(?:${DOT}|underscore|dash|hyphen|minus|unterstrich|bindestrich|tiret|guion|trattino|plus)`;
const MONTHS =
  "(?:january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|januari|februari|maart|augustus)";

const SMALL_NUMBER = `(?:hundred|hundert|cent|and|(?:ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)|${DIGIT_WORD})`;
/** A number of an IP address, in digits or words. */
const OCTET = `(?:\\d{1,3}|${SMALL_NUMBER}(?:[ -]${SMALL_NUMBER}){0,5})`;
/** "first" to "thirty-first". */
const ORDINAL =
  "(?:(?:twenty|thirty)[- ])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|tenth|eleventh|twelfth|(?:thir|four|fif|six|seven|eigh|nine)teenth|(?:twen|thir)tieth";
/** "May" and "March" are verbs, too: "May the first of you begin?" */
const DATE_END =
  "(?=\\s*(?:[,.;:!?]|$)| (?:nineteen|twenty|(?:thir|for|fif|six|seven|eigh|nine)ty|two thousand|\\d|and|at|in|is|was|on|or|but|so|i|he|she|we|they|from|to|until)(?![\\p{L}]))";
/** Day and month of a date in digits with two or four digits of a year. */
const DAY = "(?:0?[1-9]|[12]\\d|3[01])";
const MONTH = "(?:0?[1-9]|1[0-2])";

/** Identifiers that are recognised by their form alone, in every language. */
export const FORMS: readonly [types: readonly string[], pattern: RegExp][] = [
  [["EMAIL_ADDRESS"], /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu],
  [
    ["EMAIL_ADDRESS"],
    new RegExp(
      `(?<![\\p{L}\\p{N}._-])(?:[\\p{L}\\p{N}]+${STEP}${SIGN}${STEP}){0,10}[\\p{L}\\p{N}._-]+${STEP}${AT}${STEP}${NO_HOST}(?:[\\p{L}\\p{N}-]+${STEP}(?:${SIGN}${STEP}[\\p{L}\\p{N}-]+${STEP}){0,10}${DOT}${LAST_STEP}(?:co(?:m)?${STEP}${DOT}${LAST_STEP})?${EMAIL_TLD}|[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)*\\.${EMAIL_TLD})`,
      "giu",
    ),
  ],
  [
    ["URL"],
    new RegExp(
      `https?:\\/\\/\\S+|\\b(?:www\\.)?${LABEL}(?:\\.${LABEL}){0,12}\\.${TLD}(?:\\/\\S*)?(?![\\p{L}\\p{N}])`,
      "giu",
    ),
  ],
  [["URL"], new RegExp(`\\b(?:(?:www|w w w) ${DOT} )?${LABEL} ${DOT} (?:co ${DOT} )?${TLD}\\b`, "giu")],
  [["IP_ADDRESS"], new RegExp(`(?<![\\p{L}\\p{N}])${OCTET}(?: ${DOT} ${OCTET}){3}(?![\\p{L}\\p{N}])`, "giu")],
  [["IP_ADDRESS"], /\b(?:\d{1,3}\.){3}\d{1,3}\b|\b(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}\b/giu],
  [["DATE", "DOB", "DATE_INTERVAL"], /\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b/gu],
  [
    ["DATE", "DOB", "DATE_INTERVAL"],
    new RegExp(
      `(?:\\b(?:the )?\\d{1,2}(?:st|nd|rd|th|er|º|\\.)? (?:of |de )?)${MONTHS}(?![\\p{L}])(?:,? (?:de )?\\d{4})?|\\b${MONTHS} (?:the )?\\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?\\b|\\b${MONTHS} (?:de )?\\d{4}\\b`,
      "giu",
    ),
  ],
  [
    ["DATE", "DOB", "DATE_INTERVAL"],
    new RegExp(
      `\\b(?:${MONTHS} (?:the )?(?:${ORDINAL})|(?:the )?(?:${ORDINAL}) of ${MONTHS})(?<!\\b(?:may|march) (?:${ORDINAL}))${DATE_END}`,
      "giu",
    ),
  ],
  [["DATE", "DOB", "DATE_INTERVAL"], new RegExp(`\\b${DAY}\\. ${MONTH}\\. (?:1[89]|20)\\d\\d\\b`, "gu")],
  // "am 3. 3. 85"; in "am 3. 3. 14 Uhr" and "am 3. 3. 20 Leute", the last number counts something.
  [
    ["DATE", "DOB", "DATE_INTERVAL"],
    new RegExp(
      `(?<=(?<!\\p{L})(?:[Aa]m|[Vv]om|[Zz]um|[Dd]en|[Dd]em|[Ss]eit|[Bb]is|[Gg]eboren) )${DAY}\\. ${MONTH}\\. \\d\\d\\b(?![.:]\\d| (?:uhr|bis \\d|\\p{Lu}))`,
      "gu",
    ),
  ],
  [["DATE", "DOB", "DATE_INTERVAL"], /\b(?:1[89]|20)\d{2}\b/gu],
  [
    ["LOCATION_ZIP"],
    /\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b|\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b|\b\d{4} ?[A-Z]{2}\b|\b\d{4}-\d{3}\b|\b\d{5}(?:-\d{4})?\b/gu,
  ],
];

/** A date in digits without marks that show it, such as "3 14 85": only after a word such as "born". */
export const BARE_DATE = new RegExp(
  `(?<![\\d.,/-])(?:${DAY}(?:[ ,/-]{1,2}|\\. ?)${MONTH}|${MONTH}[ ,/-]{1,2}${DAY})(?:[ ,/-]{1,2}|\\. ?)(?:1[89]|20)?\\d\\d(?![\\d/-])`,
  "gu",
);

/** After "expires": number words, months and digits. */
export const EXPIRY_WORDS = new RegExp(
  `(?:expir\\p{L}*|\\bexp\\b|valid (?:thru|through|until|till)|gültig bis|válid[oa] hasta|geldig tot)(?: (?:date|on|in|at|is|am|im|the|en|el|le|il|op|:))*,? ((?:(?:${MONTHS}|\\d[\\d/.:-]*|oh|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|slash|of|and)(?:st|nd|rd|th)?,? ?)+)`,
  "giu",
);

/** Digits said one by one, in groups with commas or full stops between them. "one two three" counts in most texts. */
export const SPOKEN_DIGITS = new RegExp(
  `(?<![\\p{L}\\d])${DIGIT_WORD}(?:(?:[,.]? |-)${DIGIT_WORD}){2,}(?![\\p{L}\\d])`,
  "giu",
);

/** The words that may stand between a word such as "account" and a number of two groups: "account number is", "PIN:". */
export const LINKING_WORDS = new RegExp(
  `^(?:(?:${[
    "the|a|an|my|your|our|his|her|their|its|it|it['’]s|this|that|that['’]s|these|those|which|here|is|are|was|were|be|would|will|should|reads?|says|equals",
    "numbers?|no|code|codes|id|date|digits?|ending|ends|end|in|with|ends with|of|last|first|final|two|three|four|five|six|on the back|card|so|um|uh|er|erm|ah|yes|yeah|okay|ok|sorry|me|us",
    "der|die|das|den|dem|des|mein|meine|meiner|meines|ihr|ihre|dein|deine|ist|war|sind|lautet|lauten|heißt|nummer|nummern|ziffern?|stellen|endet auf|endet mit|letzten?|ersten?|von|vom|drei|vier|äh|ähm|also",
    "le|la|les|l|mon|ma|mes|votre|son|c['’]est|est|était|sont|numéro|chiffres?|derniers?|finit par|finissant par|se termine par|de|du|des|euh",
    "el|los|las|mi|mis|tu|su|es|era|son|número|dígitos?|cifras?|últim[oa]s|que termina en|termina en|terminada en|del|eh",
    "il|lo|gli|mio|mia|suo|sua|è|era|sono|numero|cifre|ultime|che finisce con|finisce con|della|dell|o|os|as|meu|minha|seu|sua|é|são|dígitos|últimos|terminada em|do|da",
    "het|mijn|uw|jouw|zijn|nummer|cijfers|laatste|eindigt op|eindigend op|van",
  ].join("|")})(?: |$))*$`,
  "iu",
);

/** A word that announces a number: then other words may follow, as in "account number on file is". */
export const NUMBER_WORD =
  /(?<!\p{L})(?:numbers?|digits?|ending|nummer|ziffern|endet|numéro|chiffres|número|dígitos|numero|cifre|cijfers)(?!\p{L})/iu;

/** Before "code": rules and marks that are no secret of a person. */
export const OTHER_CODE =
  /(?<![\p{L}])(?:dress|source|morse|penal|criminal|civil|building|fire|legal|colou?r|bar|cheat|moral|honou?r) $/iu;

/** Units behind a number of few digits. */
export const UNIT =
  /^[ -](?:dollars?|euros?|pounds?|cents?|bucks?|percent|per|years?|months?|weeks?|days?|hours?|minutes?|seconds?|[ap]\.? ?m\b|apart|ago|\p{L}+ (?:ago|apart)|short|over|overdrawn|overdue|due|behind|ahead|late|left|less|more|higher|lower|below|above|in (?:debt|credit|the (?:red|black|morning|afternoon|evening))|im (?:minus|plus|soll|haben)|belastet|überzogen|gutgeschrieben|o'?clock|people|times|lines|uhr|prozent|jahren?|monaten?|wochen?|tagen?|stunden?|minuten|sekunden|pour cent|ans|mois|semaines|jours|heures|por ciento|por cento|años|meses|semanas|días|horas|minutos|anos|dias|anni|mesi|settimane|giorni|ore|minuti|jaar|maanden|weken|dagen|uur)(?![\p{L}])/iu;

/** Before numbers with points: the number of an edition or of a part of a text. */
const NUMBERED = new RegExp(
  `(?<!\\p{L})(?:versi[oó]n|versione|versão|versie|release|firmware|build|update|upgrade|chapter|kapitel|capítulo|chapitre|capitolo|hoofdstuk|section|abschnitt|sección|sezione|seção|sectie|paragraph|absatz|article|artikel|artículo|clause|figure|step)s?(?: (?:number|no|nummer|número|numéro|numero|is|was|ist|war|es|est|è|é|to|auf|from|von))?[,:]? (?:(?:(?:${SMALL_NUMBER}|${DOT}|\\d[\\d.]*) ){1,30}(?:to|and|or|auf|und|oder|bis|a|y|à|et) )?$`,
  "iu",
);
const NETWORK =
  /(?<!\p{L})(?:ips?|ping|dns|vpn|ssh)(?!\p{L})|addr?ess|direcci|indirizzo|endereço|adres|server|serveur|servidor|router|routeur|host|gateway|subnet|network|netzwerk|réseau|connect|machine|computer|rechner/iu;

/** Whether a text in the form of an IP address is the number of a version or a chapter. Speakers also say "point" in other numbers. */
export function isNumbering(said: string, before: string): boolean {
  if (NUMBERED.test(before)) return true;
  const isLarge = /\d{3}|hundred|one (?:twenty|seventy|ninety)/iu.test(said);
  return / point /iu.test(said) && !isLarge && !NETWORK.test(before);
}
