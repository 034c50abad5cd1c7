// Names and explanations of options in plain words. The names of fields are for programs.
interface OptionText {
  label: string;
  hint?: string;
}

const TEXTS: Record<string, OptionText> = {
  language_config: { label: "Language" },
  languages: { label: "Languages", hint: "If none is chosen, the language is detected." },
  code_switching: { label: "The language changes within the recording" },
  diarization: { label: "Speakers", hint: "Detects who speaks when." },
  diarization_config: { label: "Number of speakers" },
  number_of_speakers: { label: "Exactly", hint: "If you know how many people speak." },
  min_speakers: { label: "At least" },
  max_speakers: { label: "At most" },
  identify_speakers: { label: "Name known voices", hint: "Names the speakers whose voices are in your library." },
  subtitles: { label: "Subtitles", hint: "Also makes files for players and video platforms." },
  subtitles_config: { label: "How subtitles look" },
  custom_vocabulary: { label: "Names and terms", hint: "Words that are often recognised wrongly, such as names." },
  custom_vocabulary_config: { label: "Your names and terms" },
  account_vocabulary: { label: "Your vocabulary", hint: "Uses the names and terms of Setup, too." },
  custom_spelling: { label: "Spelling", hint: "Always writes a word in one way." },
  custom_spelling_config: { label: "Your spellings" },
  summarization: { label: "Summary" },
  summarization_config: { label: "Kind of summary" },
  chapterization: { label: "Chapters", hint: "Divides the recording into parts with headings." },
  named_entity_recognition: { label: "People, places and dates", hint: "Lists what is mentioned, with its times." },
  sentiment_analysis: { label: "Mood of each sentence" },
  moderation: { label: "Offensive language", hint: "Lists insults, threats and other offensive sentences." },
  translation: { label: "Translation" },
  translation_config: { label: "Translate into" },
  target_languages: { label: "Into" },
  pii_redaction: { label: "Remove personal data", hint: "Replaces names, numbers and addresses in the text." },
  pii_redaction_config: { label: "Which personal data" },
  name_consistency: { label: "One spelling for each name" },
  display_mode: { label: "Shorten for display", hint: "Leaves out filler words and repetitions." },
  punctuation_enhanced: { label: "Better punctuation" },
  sentences: { label: "Sentences", hint: "Also lists the transcript sentence by sentence." },
  numerals: { label: "Numbers in digits", hint: "Otherwise numbers, dates, sums and times are written in words." },
  audio_to_llm: { label: "Your own instructions", hint: "A language model applies them to the transcript." },
  audio_to_llm_config: { label: "Instructions" },
  structured_data_extraction: { label: "Fill in fields", hint: "Fills your fields with facts from the transcript." },
  structured_data_extraction_config: { label: "Fields" },
  action_items: { label: "Action items" },
  questions: { label: "Questions and answers" },
  callback: { label: "Callback", hint: "Calls an address when the transcript is ready." },
  callback_config: { label: "Callback address" },
  custom_metadata: { label: "Metadata", hint: "Stored with the recording, for filters." },
  audio_track: { label: "Audio track" },
};

const ABBREVIATIONS: Record<string, string> = { pii: "PII", llm: "LLM", url: "URL", id: "id" };

/** Display name of a field such as "custom_vocabulary". */
export function labelOf(name: string): string {
  const text = TEXTS[name]?.label;
  if (text !== undefined) return text;
  const words = name
    .replace(/_config$/, "")
    .split("_")
    .map((word) => ABBREVIATIONS[word] ?? word)
    .join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Explanation of a field. @param description  of the interface, which marks extensions and versions for programs */
export function hintOf(name: string, description = ""): string {
  const plain = description.replace(/^\[\w+\]\s*/, "").replace(/^Extension(?:,[^:]*)?:\s*/, "");
  return TEXTS[name]?.hint ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}
