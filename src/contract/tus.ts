// Constants of the protocol tus, in which uploads resume. Without schemas: the console loads this file.
export const TUS_VERSION = "1.0.0";
export const TUS_CONTENT_TYPE = "application/offset+octet-stream";
