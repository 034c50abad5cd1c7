// Bounds of a request. Each is far above the needs of clients, and low enough that a request of only such values costs no more than
// its recording. docs/features.md lists them under "Limits of a request".

/** Signed addresses of object stores have 500 to 2,500 characters. */
export const MOST_ADDRESS_CHARACTERS = 8_192;
/** A model's id or alias, an id, a choice. */
export const MOST_NAME_CHARACTERS = 200;
/** A word or phrase, or a way of saying or writing it. */
export const MOST_PHRASE_CHARACTERS = 200;
/** Text for a language model: a prompt, a context; about 2,500 tokens. */
export const MOST_PROMPT_CHARACTERS = 10_000;

export const MOST_VOCABULARY_ENTRIES = 5_000;
/** Pronunciations or spellings of one entry of a vocabulary or of a spelling dictionary. */
export const MOST_VARIANTS = 100;
/** Entries and variants of a vocabulary or of a spelling dictionary together: every recognised word is compared with all of them. */
export const MOST_FORMS = 10_000;

/** Vocabulary lists of an account. */
export const MOST_LISTS = 100;
/** Vocabulary lists that one request names. */
export const MOST_LISTS_OF_REQUEST = 20;

/** There are 101 language codes; several names may mean the same one. */
export const MOST_LANGUAGES = 200;
/** Longest time in a recording that a request can name: 30 days. */
export const MOST_AUDIO_SECONDS = 2_592_000;
/** Audio tracks of a file. FFmpeg reads no more streams. */
export const MOST_TRACKS = 1_000;
export const MOST_PROMPTS = 100;
/** Length of a list of named choices, such as entity types and classes, of which there are fewer. */
export const MOST_CHOICES = 200;
export const MOST_SUBTITLE_FORMATS = 10;
export const MOST_SPEAKERS = 1_000;
/** Rows of a subtitle. */
export const MOST_CAPTION_ROWS = 5;
export const MOST_ROW_CHARACTERS = 10_000;

/** Length of the name that a job is given. */
export const MOST_JOB_NAME_CHARACTERS = 200;
/** Tags of a job. */
export const MOST_TAGS = 20;
export const MOST_TAG_CHARACTERS = 50;
/** Tags of an account in one response. */
export const MOST_LISTED_TAGS = 500;

/** Text of a note on words of a transcript. */
export const MOST_NOTE_CHARACTERS = 5_000;
/** Places of a repeated correction that one request corrects. */
export const MOST_CORRECTED_PLACES = 500;

/** Jobs of one page. */
export const MOST_JOBS_OF_PAGE = 1_000;
export const MOST_SEARCH_CHARACTERS = 500;
/** Length of a filter by metadata. No job's metadata is longer. */
export const MOST_FILTER_CHARACTERS = 2_000;
/** Callbacks of one job, and of an account, in one response. */
export const MOST_DELIVERIES = 1_000;
export const MOST_ACCOUNT_DELIVERIES = 100;
/** Longest minimum duration of a subtitle, seconds. */
export const MOST_SUBTITLE_SECONDS = 3_600;
/** Audio of a recording that is searched for speech if the request needs the language alone, seconds: films begin with minutes of music. */
export const LANGUAGE_DETECTION_SECONDS = 600;
