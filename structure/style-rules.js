// The rules of wording that `npm run style` checks in documentation, comments, messages and the console's texts.

/**
 * Words that describe a program as a person, or avoid the field's term. The docs name what a component does.
 * @type {readonly {find: RegExp, instead: string, inCode?: boolean}[]}  inCode: also in comments and strings of the source
 */
export const WORDING = [
  { find: /\b(told|tells?|hears?|heard)\b/i, instead: "is sent, reports, recognises, distinguishes", inCode: true },
  {
    find: /\b(knows|knew|wants|thinks|believes|suffers?)\b/i,
    instead: "supports, contains, requires, requests, ends, fails",
    inCode: true,
  },
  {
    find: /\b(service|server|client|process|job|session|model|recogniser|engine|worker|browser|detector)s? (asks?|likes?|hopes?|sees?|learns?|forgets?|remembers?|notices?|speaks)\b/i,
    instead: "requests, receives, stores, detects",
    inCode: true,
  },
  { find: /\b(anew|seldom|for ever)\b/i, instead: "again, rarely, forever", inCode: true },
  { find: /\bgo(es)? on\b|\bwent on\b|\bgoing on\b/i, instead: "continues, resumes", inCode: true },
  { find: /\bcomes? back\b/i, instead: "reconnect, return", inCode: true },
  { find: /\b(by|of) itself\b|\bby themselves\b/i, instead: "automatically" },
  { find: /\bwrit(es?|ten|ing) (it )?down\b/i, instead: "store, persist, transcribe", inCode: true },
  { find: /\bis amiss\b|\bgone wrong\b/i, instead: "is wrong, failed", inCode: true },
  { find: /\basked for\b/i, instead: "requested", inCode: true },
  { find: /\bone of (its|their|our) own\b/i, instead: "a separate one", inCode: true },
  { find: /\b(must|need) not be told\b/i, instead: "does not need" },
  { find: /\bis believed\b|\bare believed\b/i, instead: "is accepted", inCode: true },
  { find: /\bis sure (of|that)\b|\bare sure (of|that)\b/i, instead: "has a high confidence" },
  { find: /\bsome (eight|ten|twenty|thirty|hundred|thousand)\b/i, instead: "about eight" },
  { find: /\bvery\b|\bsimply\b|\bjust\b|\bobviously\b|\bplease\b/i, instead: "nothing: leave it out" },
];

/** Openings that hide the subject of a sentence. */
export const OPENINGS = [
  { find: /^(Of|From) [^,]{20,}, /, instead: "begin with the subject of the sentence" },
  {
    find: /^What [^,.?]{3,60} (is|are|has|have|was|were|does|do)\b[^?]*[.]$/,
    instead: "name the thing: no sentence begins with What",
  },
  {
    find: /^(It|There) (is|was|has been) (said|known|noted|assumed|believed) /,
    instead: "begin with the subject of the sentence",
  },
];

/** A sentence with this many commas enumerates; its length is not checked. */
export const LIST_ITEMS = 6;

/** Of a sentence in the documentation, or of its part up to a colon or a semicolon. A number or a piece of code counts as one word. */
export const MOST_SENTENCE_WORDS = 30;
