// Measures activation and saving in VS Code's extension host (run.ts), compared with the bare requests.
import { runInHost } from '../inHost.mjs';
import { median } from '../support.mjs';

/** Each launch measures one activation. */
const launches = 5;
const warmUp = 3;

export async function measure() {
  const runs = await runInHost('host', launches);
  const all = (/** @type {string} */ name) =>
    median(runs.flatMap((run) => [run[name]].flat().slice(Array.isArray(run[name]) ? warmUp : 0)));
  const [save, localSave, write, bare] = [all('saves'), all('localSaves'), all('writes'), all('bare')];
  return {
    title: "In the extension host (floors: the budget; bare requests; a local file's save and bare requests)",
    rows: [
      ['activation: loading the bundle', all('load'), null, null, 'ms'],
      ['activation: activate()', all('activate'), 10, all('activate') / 10, 'ms'],
      ['writing 177 KB: workspace.fs', write, bare, write / bare, 'ms'],
      ['saving 177 KB: Ctrl+S', save, localSave + bare, save / (localSave + bare), 'ms'],
    ],
  };
}
