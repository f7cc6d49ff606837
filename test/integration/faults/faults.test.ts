import { casesFor } from '../../support/interface.ts';
import { describeFaults } from './matrix.ts';

// The soak runs the other cases.
describeFaults('what a user does under each fault', casesFor('tests'));
