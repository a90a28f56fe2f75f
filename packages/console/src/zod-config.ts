import { z } from 'zod';

// zod compiles validators with eval by default, which the content security policy forbids.
z.config({ jitless: true });
