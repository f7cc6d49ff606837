import { casesFor } from '../../support/interface.ts';
import { describeFaults } from './matrix.ts';

// The soak has the others.
describeFaults('what a user does under each fault', casesFor('tests'));
