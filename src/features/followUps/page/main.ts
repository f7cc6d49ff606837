import './followUpForm.css';
import { FollowUpFormPage } from './page.ts';

new FollowUpFormPage().start();
