// A round-robin queue for several tenants: a tenant with a thousand items delays another one by one item.

export class FairQueue<Item> {
  /** Items by tenant, first in, first out. The order of the keys is the order of turns. */
  private readonly lanes = new Map<string, Item[]>();
  private count = 0;

  get length(): number {
    return this.count;
  }

  countOf(tenant: string): number {
    return this.lanes.get(tenant)?.length ?? 0;
  }

  add(tenant: string, item: Item): void {
    const lane = this.lanes.get(tenant);
    if (lane) lane.push(item);
    else this.lanes.set(tenant, [item]);
    this.count++;
  }

  /** @returns false if the item is not in the queue */
  remove(tenant: string, item: Item): boolean {
    const lane = this.lanes.get(tenant);
    const at = lane?.indexOf(item) ?? -1;
    if (!lane || at < 0) return false;
    lane.splice(at, 1);
    this.count--;
    if (lane.length === 0) this.lanes.delete(tenant);
    return true;
  }

  /**
   * Takes the first item of the tenant with the lowest load; among equals, of the one served longest ago.
   * @param loadOf  current load of a tenant; undefined for a tenant at its limit
   */
  next(loadOf: (tenant: string) => number | undefined = () => 0): Item | undefined {
    let chosen: string | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const tenant of this.lanes.keys()) {
      const load = loadOf(tenant);
      if (load === undefined || load >= least) continue;
      chosen = tenant;
      least = load;
      if (least === 0) break;
    }
    if (chosen === undefined) return undefined;
    const lane = this.lanes.get(chosen) as Item[];
    const item = lane.shift();
    this.count--;
    this.lanes.delete(chosen);
    if (lane.length > 0) this.lanes.set(chosen, lane);
    return item;
  }
}
