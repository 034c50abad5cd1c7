// Names of operations in the OpenAPI document, from which generators of clients name functions. A route may state its own.

const VERBS: Readonly<Record<string, string>> = {
  get: "get",
  post: "create",
  put: "replace",
  patch: "update",
  delete: "delete",
};

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * `get /v2/pre-recorded/{id}/file` is getPreRecordedFile.
 * @param method  in small letters
 * @param isList  of a collection whose members have addresses of their own, so that both would have one name
 */
export function operationId(method: string, path: string, isList: boolean): string {
  const words = path
    .split("/")
    .filter((part) => part !== "" && !/^v\d$|^\{/.test(part))
    .flatMap((part) => part.split(/[^A-Za-z0-9]+/));
  const verb = isList ? "list" : (VERBS[method] ?? method);
  return verb + words.map(capitalised).join("");
}

interface Named {
  operationId?: string;
}

/** Gives every operation of the document's paths its name. */
export function nameOperations(paths: Record<string, Record<string, Named>>): void {
  const all = Object.keys(paths);
  for (const [path, methods] of Object.entries(paths)) {
    const hasMembers = all.some((other) => other.startsWith(`${path}/{`));
    for (const [method, operation] of Object.entries(methods)) {
      operation.operationId ??= operationId(method, path, method === "get" && hasMembers);
    }
  }
}
