import './followUpForm.css';
import { FollowUpForm } from './page.ts';

new FollowUpForm().start();
