// Fields of each class of structured_data_extraction, as a schema: every field is a text or null.
import type { JsonSchema } from "../../speech/language-model/json-schema.ts";

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Addresses: ["street", "city", "state", "zipcode", "country"],
  Appointments: ["title", "date", "time", "location", "participants"],
  DateTimeEntities: ["text", "date", "time"],
  Documents: ["title", "type", "number", "date"],
  Events: ["event_name", "event_date", "event_location", "event_organizer"],
  Facilities: ["name", "type", "location"],
  FlightBookings: ["flight_number", "airline", "from", "to", "date", "time", "passenger"],
  GeopoliticalEntities: ["name", "type"],
  HealthRecords: ["patient", "condition", "medication", "dosage", "date", "doctor"],
  HotelBookings: ["hotel", "guest", "check_in", "check_out", "room", "price"],
  Locations: ["city", "state", "zipcode", "country"],
  Moneys: ["amount", "currency", "purpose"],
  NonGeopoliticalEntities: ["name", "type"],
  Organizations: ["organization_name", "organization_location", "organization_type"],
  PaymentCardIndustry: ["card_type", "card_number", "expiry_date", "card_holder"],
  Persons: ["name", "role", "organization"],
  Products: ["name", "description", "price"],
  Quantities: ["amount", "unit", "of"],
  Questions: ["question", "answer", "asker", "asked"],
  Speakers: ["name", "role", "organization"],
  TradingActions: ["action", "asset", "quantity", "price", "date"],
  Vehicles: ["type", "brand", "model", "year", "color", "licence_plate"],
};

/** HealthRecords → health_records */
export const keyOf = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();

const itemSchema = (name: string): JsonSchema => {
  const fields = FIELDS[name] ?? ["text"];
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field, { type: ["string", "null"] }])),
    required: fields,
  };
};

/** A list of each class. */
export function classesSchema(classes: readonly string[]): JsonSchema {
  const properties = Object.fromEntries(
    classes.map((name) => [keyOf(name), { type: "array", items: itemSchema(name) }]),
  );
  return { type: "object", properties, required: Object.keys(properties) };
}
