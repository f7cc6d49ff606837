import { jobs } from './jobs.ts';
import { serve } from './serve.ts';

serve(jobs);
