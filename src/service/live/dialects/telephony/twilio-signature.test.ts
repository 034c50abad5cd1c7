import { expect, test } from "vitest";
import { checkSignature } from "./twilio-signature.ts";

const TOKEN = "12345678901234567890123456789012";
const ADDRESS = "calls.example.com/telephony/twilio";
/** As `openssl dgst -sha1 -hmac TOKEN -binary | base64` prints them. */
const OF_STREAM = "/06SaPGwjyJLAywvYHyr49Qaw3c=";
const SIGNATURES = {
  "wss://calls.example.com/telephony/twilio": OF_STREAM,
  "wss://calls.example.com/telephony/twilio/": "WUzfy+xzzpG+zUfiQ8+0ncjqTmM=",
  "https://calls.example.com/telephony/twilio": "S2h6hXyjMLLGha6xGNINn+F8sHI=",
  "wss://calls.example.com:443/telephony/twilio": "VZmZCV7GhW9xubcF+Fu19bKTfCo=",
};
const OF_QUERY = "8GhRagDN5HnHKwSp+TVYYl29KG8=";
const OF_PORT = "dDtq+5GQziNz1lx1+8mBTojeYsM=";

const check = (signature: string | undefined, address = ADDRESS, tokens = [TOKEN]) =>
  checkSignature(signature === undefined ? {} : { "x-twilio-signature": signature }, { tokens, address });

test("the signatures of every form of an address are accepted, with any of the tokens", () => {
  for (const [form, signature] of Object.entries(SIGNATURES)) {
    expect(() => check(signature), form).not.toThrow();
    expect(() => check(signature, `${ADDRESS}/`), form).not.toThrow();
    expect(() => check(signature, "calls.example.com:443/telephony/twilio"), form).not.toThrow();
  }
  expect(() => check(OF_STREAM, ADDRESS, ["the former token of it", TOKEN])).not.toThrow();
  expect(() => check(OF_QUERY, "calls.example.com/speech/telephony/twilio?endpointing=0.3&name=a%20b")).not.toThrow();
  expect(() => check(OF_PORT, "calls.example.com:8443/telephony/twilio")).not.toThrow();
});

test("signatures of another address, query, port or token, and what is none, are refused with the address", () => {
  for (const [signature, address, tokens] of [
    [OF_STREAM, "other.example.com/telephony/twilio", [TOKEN]],
    [OF_STREAM, `${ADDRESS}?key=1`, [TOKEN]],
    [OF_PORT, "calls.example.com:8444/telephony/twilio", [TOKEN]],
    [OF_STREAM, ADDRESS, ["another token of twenty"]],
    [`${OF_STREAM}, ${OF_STREAM}`, ADDRESS, [TOKEN]],
    [OF_STREAM.replace("=", ""), ADDRESS, [TOKEN]],
    ["AAAAAAAAAAAAAAAAAAAAAAAAAAA=", ADDRESS, [TOKEN]],
    ["ÿ", ADDRESS, [TOKEN]],
  ] as const) {
    const refused = expect(() => check(signature, address, [...tokens]), signature);
    refused.toThrow(expect.objectContaining({ code: "live.signature_refused", status: 403 }));
    refused.toThrow(/wss:\/\/.*PARLANCE_PUBLIC_URL/);
  }
  expect(() => check(OF_STREAM, `${ADDRESS}?key=s3cretword`)).toThrow(/^(?!.*s3cretword).*wss:\/\/calls.example.com/s);
  for (const none of [undefined, ""]) expect(() => check(none)).toThrow(/X-Twilio-Signature is missing/);
});
