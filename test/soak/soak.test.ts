import { describeSoak } from '../integration/writers/soak.ts';
import { soakSteps } from '../support/soakSteps.ts';

const given = Number(process.env['MAILING_STUDIO_SEED']);

// A seed of the run's own, unless one is to be repeated. It is in the title.
describeSoak(soakSteps.soak, Number.isSafeInteger(given) && given > 0 ? given : Date.now() % 1_000_000_007);
