import { describeSoak } from './soak.ts';
import { soakSteps } from '../../support/soakSteps.ts';

describeSoak(soakSteps.tests, 6);
