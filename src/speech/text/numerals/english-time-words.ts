// Words that decide whether two numbers in a row are a time of day: "the train at three fifty", "bake it at three fifty".

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Appointments, journeys, events, and what people do at a time of day. */
const TIMED: ReadonlySet<string> = wordsOf(`
  appointment appointments meeting meetings meet meets met meetup lunch lunches dinner breakfast brunch supper coffee drinks
  train trains bus buses tram ferry flight flights plane shuttle cab taxi boat ship class classes lesson lessons lecture lectures
  school seminar webinar session sessions workshop game match kickoff concert show shows movie film play premiere performance
  service mass church prayer prayers party wedding ceremony funeral reception interview interviews call calls conference briefing
  hearing trial rehearsal practice training shift shifts alarm alarms bell curfew deadline clock time timed reservation
  reservations booking booked slot pickup dropoff checkout event events broadcast news episode launch liftoff takeoff landing
  departure departures arrival arrivals exam exams surgery operation sunrise sunset sunup sundown bedtime nap break recess yoga
  start starts started starting begin begins began begun beginning arrive arrives arrived arriving leave leaves left leaving
  depart departs departed departing wake wakes woke woken waking awake sleep slept asleep bed return returns returned returning
  called calling ring rang land lands landed board boards boarding finish finishes finished finishing end ends ended due
  scheduled schedule expected happen happens happened occurred born died dies come comes came coming go goes went going gone
  see sees saw join joins joined gather gathers gathered visit visits visited visiting resume resumes resumed adjourn adjourned
  reconvene convene convened air airs aired eat eats ate dine here there home back ready watch watches watched
  accident incident crash crashed attack explosion earthquake arrested pronounced delivered delivery deliver
  open opens close closes hours shut shuts`);

/** "get up at six thirty", "pick me up at four ten". */
const TIMED_PHRASE =
  / (?:(?:get|gets|got|getting|wrap|wraps|show|shows|showed) (?:up|there|here|home|back|in|off|out|started)|(?:pick|picks|picked|picking|drop|drops|dropped) (?:\S+ )?(?:up|off)|check(?:s|ed|ing)? (?:in|out)|set (?:off|out)|log(?:s|ged)? (?:in|on|off|out)|what time) /;

/** They open and close at a time of day; a share does at a price. */
const PLACES = wordsOf(`
  store stores shop shops office offices bank banks museum library restaurant restaurants cafe bar pub door doors gate gates poll polls
  pool gym school clinic pharmacy market mall bakery box kitchen park zoo theater theatre venue registration`);
const OPENED = wordsOf("opened opening closed closing");

const DAYS: ReadonlySet<string> = wordsOf(`
  today tomorrow tonight yesterday morning mornings afternoon afternoons evening evenings night noon midnight midday
  monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays
  weekday weekdays weekend weekends daily nightly sharp`);

/** Time zones behind a time. */
export const ZONE = /^(?:eastern|pacific|est|edt|pst|pdt|cst|cdt|mst|mdt|gmt|utc|bst|cet|cest)$/;

/** Prices, measures, scores and the like. */
const MEASURED = wordsOf(`
  share shares stock stocks price prices priced pricing cost costs costing trade trades traded trading valued worth sell sells sold
  selling buy buys bought buying pay pays paid paying bid bids quoted quote index nasdaq dow bond bonds yield yields futures
  crude oil bitcoin dollar dollars euro euros pound pounds yen cents exchange rate rates charge charges charged fee fees fare
  fares rent salary discount auction barrel ounce
  degree degrees temperature temperatures fever oven preheat preheated bake bakes baked heat pressure systolic diastolic pulse
  heart speed speeds limit weigh weighs weighed weighing weight kilos dose doses dosage dosed milligram milligrams mg mcg insulin
  glucose sugar cholesterol score scores scored scoring points ratio odds iq altitude height depth level levels frequency hertz
  megahertz kilohertz radio rpm voltage volts watts calories average averages averaged batting percent percentile rank ranks
  ranked ranking resistance threshold capacity gauge dial setting population version edition verse verses chapter psalm psalms
  genesis exodus matthew luke romans corinthians revelation`);

/** They stand before "at" and a time of day, or before "at" and the lowest price of what is sold. */
const STARTS = / (?:start|starts|started|starting|begin|begins|began|beginning) (?:out )?at$/;
/** What has a lowest price: "rooms start at one twenty five", "the bidding starts at two fifty". */
const SOLD =
  /^(?:tickets|rooms|suites|prices|fares|fees|rates|packages|plans|bids|bidding|apartments|cabins|seats|subscriptions|subscription|memberships|membership|tuition|salaries|rentals|rent|pricing|insurance)$/;

/** Whether "at" behind these words stands before a price: "tickets start at two fifty", "the bidding starts at two fifty". */
export function isStartOfPrice(before: readonly string[]): boolean {
  const said = ` ${before.join(" ")}`;
  const start = STARTS.exec(said);
  return start !== null && SOLD.test(said.slice(0, start.index).split(" ").at(-1) ?? "");
}

const MOVES =
  / (?:(?:was|were|been) (?:still |already |probably |only |just )?(?:going|moving|travell?ing|driving|cruising|racing|speeding|flying|doing)|drove|clocked|sped|cruised) (?:along |down |up )?(?:at|by)$/;
const ROAD = /^(?:cars?|trucks?|vans?|vehicles?|motorcycles?|motorbikes?|bikes?|lorry|drivers?|suv|sedan)$/;

/** Whether "at" behind these words stands before a speed of a hundred and more: "the car was going at one twenty". */
export function isMoving(before: readonly string[], [first]: readonly string[]): boolean {
  return first === "one" && MOVES.test(` ${before.join(" ")}`) && before.some((word) => ROAD.test(word));
}

/** Right before a number they make it a value: "I paid three fifty this morning". */
const TAKEN = /^(?:paid|pay|took|take|takes|cost|costs|weighed|measured|scored)$/;
const IS = /^(?:is|was|are|were|said|says|read|reads)$/;
/** Something that takes place at a time of day, although it is measured, too. */
const DATED = /^(?:doses?|bids?|trades?|sell|buy|bake|heat|oven|score|scores|points|setting|edition|limit)$/;
const VALUE = /^(?:gas|weight|rate|scale)$/;

/**
 * Whether a number before "this morning" or "tonight" is a value, not a time: "I paid three fifty this morning", "her heart rate was one twenty
 * tonight".
 * @param before    words of the sentence before the number, in order
 * @param isPlaced  whether the last one is a word such as "at"
 */
export function isValueOfPart(before: readonly string[], isPlaced: boolean): boolean {
  const last = before.length - (isPlaced ? 2 : 1);
  const [subject = "", verb = ""] = [before[last - 1], before[last]];
  if (!isPlaced && TAKEN.test(verb)) return true;
  return IS.test(verb) && !DATED.test(subject) && (MEASURED.has(subject) || VALUE.test(subject));
}

/** "at three fifty a share", "at twelve fifty per hour". */
const SHARED = /^(?:each|apiece|per|plus|dollars?|euros?|cents?|flat|even)$/;
const EACH =
  /^(?:share|barrel|gallon|pound|ounce|ton|tonne|kilo|liter|litre|unit|piece|head|pop|person|hour|day|week|month|year|night|box|bottle|can|bag|dozen|foot|yard|square|seat|ticket|head)$/;

/** Whether what follows a number says that it is a price of each of something. */
export const isPriceOfEach = (next: string, second: string): boolean =>
  SHARED.test(next) || (/^(?:a|an|the)$/.test(next) && EACH.test(second));

/** @param words  of the same sentence around a number */
export function isTimed(words: readonly string[]): boolean {
  if (words.some((word) => TIMED.has(word) || DAYS.has(word))) return true;
  if (TIMED_PHRASE.test(` ${words.join(" ")} `)) return true;
  return words.some((word) => OPENED.has(word)) && words.some((word) => PLACES.has(word));
}

/** @param words  of the same sentence around a number */
export const isMeasured = (words: readonly string[]): boolean => words.some((word) => MEASURED.has(word));

/** @param words  of the same sentence around a number */
export const namesDay = (words: readonly string[]): boolean => words.some((word) => DAYS.has(word));
