// Names of the add-ons that are made from the text of a finished transcript. Separate from later-add-ons.ts, so that the console does not load
// TypeBox.

export const TEXT_ADD_ONS = [
  "subtitles",
  "sentences",
  "translation",
  "summarization",
  "chapterization",
  "named_entity_recognition",
  "sentiment_analysis",
  "moderation",
  "action_items",
  "questions",
  "audio_to_llm",
  "structured_data_extraction",
  "display_mode",
] as const;
