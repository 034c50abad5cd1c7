// Figures of the machine as tiles: what runs, how much fits, and what to do where something is short.
import { formats, t } from "../language/language.ts";
import { Bar } from "../parts/bar.tsx";
import type { SystemStatus } from "../shapes.ts";

interface Tile {
  name: string;
  figure: string;
  /** Of what fits; without one, there is no bar. */
  share?: number | undefined;
  hint?: string;
  /** What is short, and what to do. */
  problem?: string | undefined;
}

const HOUR_SECONDS = 3_600;

function stateTile({ ready }: SystemStatus): Tile {
  return { name: t.setup.state, figure: ready ? t.setup.ready : t.setup.loadingModels };
}

function sessionsTile({ load: { live_sessions: count, live_capacity: most } }: SystemStatus): Tile {
  return {
    name: t.setup.liveSessions,
    figure: t.setup.of(count, most),
    share: most > 0 ? count / most : undefined,
    problem: most > 0 && count >= most ? t.machine.sessionsFull : undefined,
  };
}

function recordingsTile({ jobs, machine }: SystemStatus): Tile {
  const { queued, processing } = machine?.jobs ?? jobs;
  const most = machine?.jobs_capacity ?? null;
  return {
    name: t.frame.recordings,
    figure: t.setup.jobCounts(processing, queued),
    share: most === null ? undefined : processing / most,
    hint: most === null ? (machine ? "" : t.machine.ownRecordings) : t.machine.atOnce(most),
  };
}

function speedTile({ machine, load }: SystemStatus): Tile[] {
  const delay = { name: t.setup.finalDelay, figure: formats.milliseconds(load.final_delay * 1000) };
  if (!machine) return [delay];
  const { audio_speed: speed } = machine;
  const figure = speed ? t.machine.hourTakes(formats.duration(HOUR_SECONDS / speed)) : t.machine.notMeasured;
  return [{ name: t.machine.speed, figure }, delay];
}

function processorTile({ load: { processor }, cores }: SystemStatus): Tile {
  return {
    name: t.setup.processor,
    figure: t.setup.processorShare(processor, cores),
    share: processor,
    hint: processor > 1 ? t.machine.overloaded : "",
  };
}

function diskTile({ machine }: SystemStatus): Tile[] {
  if (!machine) return [];
  const { disk_free: free, disk_reserve: reserve } = machine;
  return [
    {
      name: t.machine.disk,
      figure: free === null ? t.machine.diskUnknown : t.machine.diskFree(formats.bytes(free)),
      hint: reserve > 0 ? t.machine.diskLimit(formats.bytes(reserve)) : "",
      problem: free !== null && free < reserve ? t.machine.diskFull : undefined,
    },
  ];
}

export function NowOfMachine({ system }: { system: SystemStatus }) {
  const tiles = [
    stateTile(system),
    sessionsTile(system),
    recordingsTile(system),
    ...speedTile(system),
    processorTile(system),
    ...diskTile(system),
  ];
  return (
    <section aria-labelledby="now">
      <h2 id="now">{t.machine.now}</h2>
      <ul class="tiles">
        {tiles.map(({ name, figure, share, hint, problem }) => (
          <li key={name} class="card">
            <h3>{name}</h3>
            <p class="figure">{figure}</p>
            {share === undefined ? null : <Bar share={share} name={name} />}
            {hint ? <p class="hint">{hint}</p> : null}
            {problem ? <p class="problem">{problem}</p> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
