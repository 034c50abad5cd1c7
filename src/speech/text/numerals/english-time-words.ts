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

/** Before "at", they say what somebody or something does at a time of day, or from which price on things are sold. */
const STARTS = / (?:start|starts|started|starting|begin|begins|began|beginning) (?:out )?at$/;
/** Plural nouns of what starts at a time of day. Others are sold: "rooms start at one twenty five". */
const PLURAL_EVENTS = wordsOf(`
  activities auditions celebrations ceremonies doors elections fasts festivities finals fireworks funerals games hearings holidays hours
  incidents kids men women children people tests orders panels parades parties polls previews proceedings races rallies readings
  rehearsals rounds screenings semifinals services speakers speeches students talks teachers tours trials tryouts visits vigils
  weddings workouts workers`);
/** What is sold from a price on, in the singular. */
const SOLD = /^(?:bidding|admission|tuition|membership|pay|insurance|subscription|pricing|entry|rent)$/;

/** Whether "at" behind these words stands before a price: "tickets start at two fifty", "the bidding starts at two fifty". */
export function isStartOfPrice(before: readonly string[]): boolean {
  const said = ` ${before.join(" ")}`;
  const start = STARTS.exec(said);
  if (!start) return false;
  const noun = said.slice(0, start.index).split(" ").at(-1) ?? "";
  if (SOLD.test(noun)) return true;
  const isPlural = /^.{3,}[^s']s$/.test(noun) && !/^(?:always|sometimes|this|perhaps|days?|.*days)$/.test(noun);
  return isPlural && !PLURAL_EVENTS.has(noun) && !TIMED.has(noun);
}

const MOVES =
  / (?:(?:is|was|are|were|been|be|'s|i'm|we're|he's|she's|they're|you're) (?:still |already |probably |only |just )?(?:going|moving|travell?ing|driving|cruising|racing|speeding|flying|running|doing)|drove|clocked|sped|cruised) (?:along |down |up )?(?:at|by)$/;
const ROAD =
  /^(?:cars?|trucks?|vans?|vehicles?|motorcycles?|motorbikes?|bikes?|lorry|drivers?|highway|freeway|motorway|road|lane|autobahn|interstate|zone|suv|sedan|engine|downhill)$/;
const VEHICLE = /^(?:train|bus|plane|jet|boat|ship|tram|taxi|cab)$/;

/** Whether "at" behind these words stands before a speed: "the car was going at one twenty". */
export function isMoving(before: readonly string[], words: readonly string[]): boolean {
  const said = ` ${before.join(" ")}`;
  if (!MOVES.test(said)) return false;
  if (/ clocked (?:at|by)$/.test(said) || words.some((word) => ROAD.test(word))) return true;
  return / (?:was|were|been) /.test(said) && words.some((word) => VEHICLE.test(word));
}

/** Whether the words say that a number is a time of day without a day or a part of one: "I woke up three fifteen this morning". */
const isAppointed = (words: readonly string[]): boolean =>
  words.some((word) => TIMED.has(word)) || TIMED_PHRASE.test(` ${words.join(" ")} `);

/** Subjects of "was three fifteen in the morning" that make it a time of day. */
const CLOCK_SUBJECT =
  /(?:^| )(?:it|that|time|clock|watch|phone|there|now|this|hour) (?:is|was|are|were|said|says|read|reads|showed|shows)$|(?:it's|that's|it'd|'twas)$/;
/** They stand between a verb and "at" or "around" of a value: "oil was at three fifty this morning". */
const AT_VALUE =
  / (?:is|was|are|were|be|been|stood|stands|sits|sat|hovered|hovers|opened|opens|closed|closes|traded|trades|peaked|peaks|held|came in|comes in|measured|measures) (?:still |now |only |up |down |back )?$/;

/**
 * Whether a number before "this morning" or "tonight" is a time of day, not what somebody took, paid or measured.
 * @param before       words of the sentence before the number, in order
 * @param preposition  right before the number, if it may stand before a time
 */
export function isTimeOfPart(before: readonly string[], preposition: string | undefined): boolean {
  const said = ` ${before.join(" ")}`;
  const isValue = before.some((word) => MEASURED.has(word));
  if (preposition !== undefined) {
    const head = said.slice(0, said.lastIndexOf(` ${preposition}`));
    return !isValue || !AT_VALUE.test(`${head} `) || isAppointed(before);
  }
  const last = before.at(-1) ?? "";
  if (last === "" || CLOCK_SUBJECT.test(said)) return true;
  if (isValue) return false;
  if (isAppointed(before) || /^(?:the|that|this|say|about|maybe|um|uh|tomorrow|today|not)$/.test(last)) return true;
  // "at three fifteen this morning and four ten tonight"
  return /^(?:and|or|but|then)$/.test(last) && before.some((word) => /^(?:at|from|between|until|till)$/.test(word));
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
