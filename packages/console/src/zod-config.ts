import { z } from 'zod';

// The content security policy forbids code made at run time, which zod would use to go faster.
z.config({ jitless: true });
