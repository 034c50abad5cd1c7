// Kinds of entities as AssemblyAI's interface names them.

/** Our type of each policy for redaction; most are the first of several that have its name in results. */
const TYPES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  account_number: ["ACCOUNT_NUMBER"],
  banking_information: ["BANK_ACCOUNT", "ROUTING_NUMBER"],
  blood_type: ["BLOOD_TYPE"],
  corporate_action: ["CORPORATE_ACTION"],
  credit_card_cvv: ["CVV"],
  credit_card_expiration: ["CREDIT_CARD_EXPIRATION"],
  credit_card_number: ["CREDIT_CARD"],
  date: ["DATE"],
  date_interval: ["DATE_INTERVAL"],
  date_of_birth: ["DOB"],
  drivers_license: ["DRIVER_LICENSE"],
  drug: ["DRUG", "DOSE"],
  duration: ["DURATION"],
  email_address: ["EMAIL_ADDRESS"],
  event: ["EVENT"],
  filename: ["FILENAME"],
  financial_metric: ["FINANCIAL_METRIC"],
  gender_sexuality: ["GENDER_SEXUALITY"],
  healthcare_number: ["HEALTHCARE_NUMBER"],
  injury: ["INJURY"],
  ip_address: ["IP_ADDRESS"],
  language: ["LANGUAGE"],
  location: [
    "LOCATION",
    "LOCATION_ADDRESS",
    "LOCATION_CITY",
    "LOCATION_COORDINATE",
    "LOCATION_COUNTRY",
    "LOCATION_STATE",
    "LOCATION_ZIP",
  ],
  marital_status: ["MARITAL_STATUS"],
  medical_code: ["MEDICAL_CODE"],
  medical_condition: ["CONDITION"],
  medical_process: ["MEDICAL_PROCESS"],
  money_amount: ["MONEY"],
  nationality: ["ORIGIN"],
  number_sequence: ["NUMERICAL_PII"],
  occupation: ["OCCUPATION"],
  organization: ["ORGANIZATION", "ORGANIZATION_MEDICAL_FACILITY"],
  passport_number: ["PASSPORT_NUMBER"],
  password: ["PASSWORD"],
  person_age: ["AGE"],
  person_name: ["NAME", "NAME_FAMILY", "NAME_GIVEN", "NAME_MEDICAL_PROFESSIONAL"],
  phone_number: ["PHONE_NUMBER"],
  physical_attribute: ["PHYSICAL_ATTRIBUTE"],
  political_affiliation: ["POLITICAL_AFFILIATION"],
  product: ["PRODUCT"],
  religion: ["RELIGION"],
  statistics: ["STATISTICS"],
  time: ["TIME"],
  trend: ["TREND"],
  url: ["URL"],
  us_social_security_number: ["SSN"],
  username: ["USERNAME"],
  vehicle_id: ["VEHICLE_ID"],
  zodiac_sign: ["ZODIAC_SIGN"],
};

/**
 * Policies whose types have the name of a wider kind in results. A policy that is narrower than its type redacts all of that type. Absent are
 * day, effect, month, organization_id, project and year, for which there is no type: a request for one is refused.
 */
const NARROWER: Readonly<Record<string, readonly [string, ...string[]]>> = {
  gender: ["GENDER_SEXUALITY"],
  location_address: ["LOCATION_ADDRESS"],
  location_address_street: ["LOCATION_ADDRESS"],
  location_city: ["LOCATION_CITY"],
  location_coordinate: ["LOCATION_COORDINATE"],
  location_country: ["LOCATION_COUNTRY"],
  location_state: ["LOCATION_STATE"],
  location_zip: ["LOCATION_ZIP"],
  organization_medical_facility: ["ORGANIZATION_MEDICAL_FACILITY"],
  sexuality: ["GENDER_SEXUALITY"],
};

const POLICIES = { ...TYPES, ...NARROWER };

const NAMES = new Map(Object.entries(TYPES).flatMap(([name, types]) => types.map((type) => [type, name] as const)));

/** Names of all policies. */
export const PII_POLICIES = Object.keys(POLICIES).toSorted();

/** Types of pii_redaction; none for an unknown policy. */
export const typesOfPolicy = (policy: string): readonly string[] =>
  Object.hasOwn(POLICIES, policy) ? (POLICIES[policy] ?? []) : [];

/**
 * Left out of results: AssemblyAI's Python client 0.45.0 refuses the whole transcript at one of these kinds. Version 1.8.2 reads them, but an
 * unreadable transcript costs its owner more than a kind that only a warning names.
 */
const NOT_IN_RESULTS = new Set(["corporate_action", "financial_metric", "medical_code", "product", "trend"]);

/** @param name  by entityName */
export const isInResults = (name: string): boolean => !NOT_IN_RESULTS.has(name);

/** @param type  of our results */
export const entityName = (type: string): string => NAMES.get(type) ?? type.toLowerCase();
