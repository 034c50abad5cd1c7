// Messages name the fields of the Gladia interface; other interfaces have other names for the same.

export interface FieldNames {
  language: string;
  vocabulary: string;
  /** Of the field with the address of a recording. */
  address?: string;
}

export function withFieldNames(text: string, { language, vocabulary, address = "audio_url" }: FieldNames): string {
  return text
    .replace(/language_config\.languages \["(\w+)"\]/g, `${language} $1`)
    .replace(/language_config\.languages/g, language)
    .replace(/custom_vocabulary/g, vocabulary)
    .replace(/audio_url/g, address);
}
