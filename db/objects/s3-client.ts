import { S3Client } from "@aws-sdk/client-s3";

export interface S3Settings {
  S3_ENDPOINT: string;
  /** Origin of the URLs for clients, if they reach storage elsewhere than we do. */
  OBJECTS_URL?: string;
  /** Default: R2's, which is `auto`. */
  S3_REGION?: string;
  S3_ACCESS_KEY_ID: string;
  S3_SECRET_ACCESS_KEY: string;
  S3_UPLOADS_BUCKET: string;
  S3_MEDIA_BUCKET: string;
}

export function s3Client(settings: S3Settings): S3Client {
  return new S3Client({
    endpoint: settings.S3_ENDPOINT,
    region: settings.S3_REGION ?? "auto",
    forcePathStyle: true,
    credentials: { accessKeyId: settings.S3_ACCESS_KEY_ID, secretAccessKey: settings.S3_SECRET_ACCESS_KEY },
    // The default signs the checksum of an empty body into upload URLs.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // The caller answers 503, and its client retries.
    maxAttempts: 2,
  });
}

/** Signs URLs for clients. */
export const clientsSigner = (client: S3Client, settings: S3Settings): S3Client =>
  settings.OBJECTS_URL ? s3Client({ ...settings, S3_ENDPOINT: settings.OBJECTS_URL }) : client;
