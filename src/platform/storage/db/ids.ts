const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can be an id at all: the database refuses to look for others. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
