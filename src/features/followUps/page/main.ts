import './followUpForm.css';
import { openFollowUpForm } from './page.ts';

openFollowUpForm();
