import { describe, expect, test } from "vitest";
import { spokenUtterance } from "../../../../test/fixtures/number-pairs.ts";
import { withNumerals } from "./numerals.ts";

const write = (spoken: string, language = "en") => withNumerals(spokenUtterance(spoken, language)).text;

describe("numbers of standards, models, versions and machines", () => {
  test.each([
    ["We are ISO nine thousand one certified.", "We are ISO 9001 certified."],
    ["ISO twenty seven thousand one", "ISO 27001"],
    ["ISO/IEC seventeen thousand twenty five applies.", "ISO/IEC 17025 applies."],
    ["the Canon five thousand D", "the Canon 5000 D"],
    ["one nine two dot one six eight dot one dot one", "192.168.1.1"],
    ["Ping ten dot zero dot zero dot one.", "Ping 10.0.0.1."],
    ["one ninety two dot one sixty eight dot one dot two hundred and fifty five", "192.168.1.255"],
    ["It is version two dot one dot three now.", "It is version 2.1.3 now."],
    ["version two dot one", "version 2.1"],
    ["version two point one point three", "version 2.1.3"],
  ])("have their own form: %s", (said, written) => {
    expect(write(said)).toBe(written);
  });

  test.each([
    ["I saw five thousand D batteries.", "I saw 5,000 D batteries."],
    ["In Ohio nine thousand one voted.", "In Ohio 9,001 voted."],
    ["a list of one point two, two point three", "a list of 1.2, 2.3"],
    ["There is one dot two steps from it.", "There is one dot two steps from it."],
  ])("are not seen elsewhere: %s", (said, written) => {
    expect(write(said)).toBe(written);
  });

  test("cents behind con in Spanish", () => {
    expect(write("Cuesta doce euros con cincuenta.", "es")).toBe("Cuesta 12,50 €.");
    expect(write("Pagó doce euros con veinte amigos.", "es")).toBe("Pagó 12 € con 20 amigos.");
  });
});
