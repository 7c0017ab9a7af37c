-- Sequence and functions that tables depend on. Changing one of these functions requires rewriting rows.
CREATE SEQUENCE id_sequence MINVALUE 0 MAXVALUE 4095 CYCLE;
CREATE FUNCTION next_id() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT ((extract(epoch FROM clock_timestamp()) * 1000)::bigint - 1704067200000) << 12 | nextval('id_sequence')
$$;
-- Removes differences of case, accents, letter forms and invisible characters, such as joiners and skin tones. Avoids
-- `unaccent`, which may be missing and is not immutable. ASCII takes a short path.
CREATE FUNCTION search_fold(p_text text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  folded text;
BEGIN
  IF octet_length(p_text) = length(p_text) THEN
    RETURN lower(p_text COLLATE pg_c_utf8);
  END IF;
  folded := replace(replace(replace(replace(translate(
    lower(regexp_replace(normalize(p_text, NFKD), '['
      || U&'\00AD\0300-\036F\093C\115F\1160\17B4\17B5\180B-\180F\200B-\200F\202A-\202E\2060-\206F\20E3\FE00-\FE0F\FEFF'
      || U&'\0591-\05BD\05BF\05C1\05C2\05C4\05C5\05C7'
      || U&'\0610-\061A\061C\0640\064B-\065F\0670\06D6-\06DC\06DF-\06E4\06E7\06E8\06EA-\06ED\08D3-\08FF'
      || U&'\+01F3FB-\+01F3FF\+0E0000-\+0E0FFF]', '', 'g') COLLATE pg_c_utf8),
    U&'øłđðıςħŧŋəɛɔɓɗƙ\02BC\02BB\2018\2019\0671\0649\06CC\06A9\0629\0660\0661\0662\0663\0664\0665\0666\0667\0668\0669'
      || U&'\06F0\06F1\06F2\06F3\06F4\06F5\06F6\06F7\06F8\06F9\2010',
    U&'olddiσhtneeobdk''''''''\0627\064A\064A\0643\064701234567890123456789-'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  -- NFKD splits Hangul and kana, so they are composed again. Below U+0300 nothing is composed.
  RETURN CASE WHEN folded ~ U&'[^\0001-\02FF]' THEN normalize(folded, NFC) ELSE folded END;
END $$;
-- Returns scripts without blanks, as ranges for a regular expression: Thai, Lao, Burmese, Khmer, Tai, Han, kana,
-- Hangul, Yi.
CREATE FUNCTION search_unbroken() RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT U&'\0E00-\0EFF\1000-\109F\1100-\11FF\1780-\17FF\1950-\19DF\1A20-\1AAF\2E80-\2FDF\3005-\3007\3021-\3029\3031-\303C'
    || U&'\3040-\31FF\3400-\A4CF\A960-\A97F\A980-\A9FF\AA60-\AADF\AC00-\D7FF\F900-\FAFF\+016FE0-\+018DFF\+01AFF0-\+01B2FF\+020000-\+03FFFF'
$$;
-- Returns emoji and similar signs, such as stars and notes, as ranges. Excludes brackets.
CREATE FUNCTION search_emoji() RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT U&'\2190-\21FF\2300-\2307\230C-\2328\232B-\23FF\25A0-\2767\2776-\27BF\2900-\297F\2B00-\2BFF\3030\303D\+01F000-\+01FAFF'
$$;
-- Returns words with single blanks; an emoji or flag is one word. Unbroken text becomes its pairs of adjacent
-- characters, then the last one. Every position thus begins a word, and any part is a phrase.
CREATE FUNCTION search_text(p_text text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  unbroken CONSTANT text := public.search_unbroken();
  emoji CONSTANT text := public.search_emoji();
  spaced text := public.search_fold(p_text) COLLATE pg_c_utf8;
BEGIN
  IF octet_length(spaced) = length(spaced) OR spaced !~ ('[' || unbroken || emoji || ']') THEN
    RETURN btrim(regexp_replace(spaced, '[[:punct:][:space:][:cntrl:]]+', ' ', 'g'));
  END IF;
  spaced := regexp_replace(spaced, '(?:(?![' || emoji || '])[[:punct:][:space:][:cntrl:]])+', ' ', 'g');
  spaced := regexp_replace(spaced, U&'([\+01F1E6-\+01F1FF]{2}|[' || emoji || ']|[' || unbroken || ']+)', ' \1 ', 'g');
  RETURN (SELECT coalesce(string_agg(pair.first || coalesce(pair.second, ''), ' ' ORDER BY w.place, pair.place), '')
    FROM string_to_table(spaced, ' ') WITH ORDINALITY w(word, place),
    LATERAL (SELECT string_to_array(w.word, CASE WHEN w.word !~ ('^[' || unbroken || ']') THEN ' ' END) AS parts OFFSET 0) c,
    LATERAL unnest(c.parts, c.parts[2:]) WITH ORDINALITY pair(first, second, place)
    WHERE w.word <> '');
END $$;
-- Returns acronyms without their points: `R.E.M.` is `REM`, and `J.S. Bach` has `JS`.
CREATE FUNCTION search_acronyms(p_fields text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(replace(found[1], '.', '')), '{}')
  FROM unnest(p_fields) field, regexp_matches(
    field COLLATE pg_c_utf8, '(?<![[:alnum:]])([[:alpha:]](?:\.[[:alpha:]])+)(?!\.?[[:alnum:]])', 'g') found
$$;
-- Returns the words that are also written as one, without the marks within them: `REM`, `dont`, `lofi`, `acdc`. In `Ke$ha`
-- and `P!nk` a mark is a letter. Scripts without blanks are left out, because a mark there separates words.
CREATE FUNCTION search_joined(p_fields text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT public.search_acronyms(p_fields) || coalesce(array_agg(translate(word, '$!''/-', 'si')), '{}')
  FROM unnest(p_fields) field, regexp_matches(CASE WHEN field ~ U&'[''\2018\2019\02BB\02BC\2010\2011$!/-]'
      THEN public.search_fold(field) COLLATE pg_c_utf8 END,
    '(?<![[:alnum:]$])([[:alnum:]$]+(?:[''!/-][[:alnum:]$]+)*)(?![[:alnum:]$])', 'g') found, unnest(found) word
  WHERE word ~ '[$!''/-]' AND word ~ '[[:alpha:]]' AND word !~ ('[' || public.search_unbroken() || ']')
$$;
-- Returns words with positions, and gaps between fields that stop phrases. PostgreSQL's parser would read `AC/DC` as a
-- path and drop emoji. Lexemes end at 2,046 bytes and positions at 16,383, so long texts start over.
CREATE FUNCTION search_vector(p_weight text, p_fields text[]) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT coalesce(string_agg('''' || w.word || ''':' || (w.place - 1) % 12000 + 2 || p_weight, ' '), '')::tsvector
    FROM string_to_table((SELECT string_agg(public.search_text(f.field), '  ' ORDER BY f.place)
      FROM unnest(p_fields || CASE WHEN p_weight = 'D' THEN public.search_acronyms(p_fields)
        ELSE public.search_joined(p_fields)
          || ARRAY(SELECT 'and' FROM unnest(p_fields) field WHERE field ~ '&|(^|\s)[+](\s|$)') END)
        WITH ORDINALITY f(field, place)), ' ')
      WITH ORDINALITY w(word, place)
    WHERE w.word <> '' AND octet_length(w.word) <= 2046);
END $$;
-- Tells whether a kind has a counter. In a constraint, the list would be parsed by every inserting statement.
CREATE FUNCTION counter_exists(p_kind text, p_counter text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE p_kind
    WHEN 'track' THEN p_counter IN
      ('comment_count', 'download_count', 'playback_count', 'favoritings_count', 'reposts_count')
    WHEN 'playlist' THEN p_counter IN ('favoritings_count', 'reposts_count')
    WHEN 'user' THEN p_counter IN
      ('playlist_count', 'private_playlists_count', 'followers_count', 'followings_count', 'public_favorites_count',
        'reposts_count', 'comments_count', 'quiet_comments_count')
    ELSE false
  END;
END $$;
-- Returns a user's words by weight, like `track_document`: A names, D descriptions.
CREATE FUNCTION user_document(
  p_username text, p_full_name text, p_permalink text, p_city text, p_description text
) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT public.search_vector('A', ARRAY[p_username, p_permalink, p_full_name])
    || public.search_vector('D', ARRAY[p_city, p_description])
$$;

-- Tables, drafted by drizzle-kit from db/schema.
CREATE TABLE "activities" (
	"id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"about" text NOT NULL,
	"actor_id" bigint NOT NULL,
	"comment_id" bigint,
	"favored_track_id" bigint,
	"shared_track_id" bigint,
	"answers" boolean DEFAULT false NOT NULL,
	"transaction_id" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "activities_user_id_about_id_pk" PRIMARY KEY("user_id","about","id"),
	CONSTRAINT "activities_about" CHECK ("activities"."about" in ('own', 'shared', 'conversation')),
	CONSTRAINT "activities_event" CHECK (num_nonnulls("activities"."comment_id", "activities"."favored_track_id", "activities"."shared_track_id") = 1)
);
CREATE TABLE "budgets" (
	"bucket" text PRIMARY KEY NOT NULL,
	"taken" integer NOT NULL,
	"ends_at" timestamp with time zone NOT NULL
);
CREATE TABLE "comments" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"track_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"body" text NOT NULL,
	"sanitizer_version" smallint NOT NULL,
	"timestamp_ms" bigint,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "comments_timestamp_ms" CHECK ("comments"."timestamp_ms" between 0 and 9007199254740991)
);
CREATE TABLE "connection_attempts" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"session_id" bigint NOT NULL,
	"service" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"verifier_sealed" "bytea" NOT NULL,
	"post_favorite" boolean,
	"post_publish" boolean,
	"expires_at" timestamp with time zone NOT NULL,
	"taken_at" timestamp with time zone,
	"succeeded" boolean
);
CREATE TABLE "connection_posts" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"connection_id" bigint NOT NULL,
	"track_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now(),
	CONSTRAINT "connection_posts_connection_id_track_id_kind_key" UNIQUE("connection_id","track_id","kind"),
	CONSTRAINT "connection_posts_kind" CHECK ("connection_posts"."kind" in ('favorite', 'publish'))
);
CREATE TABLE "connections" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"service" text NOT NULL,
	"external_id" text NOT NULL,
	"display_name" text NOT NULL,
	"post_favorite" boolean NOT NULL,
	"post_publish" boolean NOT NULL,
	"tokens_sealed" "bytea" NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"leased_until" timestamp with time zone,
	CONSTRAINT "connections_user_id_service_external_id_key" UNIQUE("user_id","service","external_id")
);
CREATE TABLE "counter_deltas" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "counter_deltas_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject_id" bigint NOT NULL,
	"counter" text NOT NULL,
	"delta" integer NOT NULL,
	CONSTRAINT "counter_deltas_counter" CHECK (counter_exists("counter_deltas"."kind", "counter_deltas"."counter"))
);
CREATE TABLE "recounts" (
	"kind" text PRIMARY KEY NOT NULL,
	"after_id" bigint,
	"begun_at" timestamp with time zone DEFAULT '-infinity' NOT NULL,
	"checked" bigint DEFAULT 0 NOT NULL,
	"repaired" bigint DEFAULT 0 NOT NULL
);
CREATE TABLE "dead_letters" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"message_id" text NOT NULL,
	"queue" text NOT NULL,
	"body" jsonb,
	"retry_at" timestamp with time zone,
	CONSTRAINT "dead_letters_message_id_key" UNIQUE("message_id")
);
CREATE TABLE "favorites" (
	"id" bigint DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"track_id" bigint NOT NULL,
	CONSTRAINT "favorites_user_id_track_id_pk" PRIMARY KEY("user_id","track_id")
);
CREATE TABLE "followings" (
	"id" bigint DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"followee_id" bigint NOT NULL,
	CONSTRAINT "followings_user_id_followee_id_pk" PRIMARY KEY("user_id","followee_id"),
	CONSTRAINT "followings_not_oneself" CHECK ("followings"."user_id" <> "followings"."followee_id")
);
CREATE TABLE "refresh_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"session_id" bigint NOT NULL,
	"parent_hash" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"consumed_at" timestamp with time zone,
	"race_ends_at" timestamp with time zone
);
CREATE TABLE "sessions" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"app_id" bigint NOT NULL,
	"user_id" bigint,
	"site_session_hash" text,
	"scope" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"last_used_at" timestamp with time zone
);
CREATE TABLE "idempotency_keys" (
	"key_hash" "bytea" PRIMARY KEY NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"claim" uuid NOT NULL,
	"result" jsonb,
	"made_id" bigint,
	"secret" "bytea",
	"expires_at" timestamp with time zone NOT NULL
);
CREATE TABLE "mails" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"user_id" bigint,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"token_hash" text,
	"expires_at" timestamp with time zone,
	"sealed" "bytea",
	"facts" jsonb,
	"state" text DEFAULT 'waiting' NOT NULL,
	"tries" smallint DEFAULT 0 NOT NULL,
	"attempt" uuid,
	"next_attempt_at" timestamp with time zone DEFAULT now(),
	"dispatched_at" timestamp with time zone,
	"failure" text,
	CONSTRAINT "mails_state" CHECK ("mails"."state" in ('waiting', 'failed')),
	CONSTRAINT "mails_next_attempt_at" CHECK (("mails"."state" = 'waiting') = ("mails"."next_attempt_at" is not null))
);
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"actor" text NOT NULL,
	"actor_id" bigint,
	"act" text NOT NULL,
	"target_kind" text NOT NULL,
	"target_id" bigint,
	"target" text,
	"reason" text,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL
);
CREATE TABLE "plan_quotas" (
	"plan" text PRIMARY KEY NOT NULL,
	"seconds" bigint,
	"bytes" bigint,
	"tracks" bigint,
	CONSTRAINT "plan_quotas_plan" CHECK ("plan_quotas"."plan" in ('free', 'artist', 'artist-pro')),
	CONSTRAINT "plan_quotas_limits" CHECK (least("plan_quotas"."seconds", "plan_quotas"."bytes", "plan_quotas"."tracks") >= 0)
);
CREATE TABLE "reports" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"target_kind" text NOT NULL,
	"target_id" bigint,
	"url" text NOT NULL,
	"reason" text NOT NULL,
	"details" text NOT NULL,
	"reporter_id" bigint,
	"email" text,
	"state" text DEFAULT 'open' NOT NULL,
	"note" text,
	"settled_at" timestamp with time zone,
	CONSTRAINT "reports_state" CHECK ("reports"."state" in ('open', 'resolved', 'dismissed')),
	CONSTRAINT "reports_target_kind" CHECK ("reports"."target_kind" in ('user', 'track', 'playlist', 'comment', 'page'))
);
CREATE TABLE "suspensions" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "takedowns" (
	"track_id" bigint PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"sharing" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "takedowns_sharing" CHECK ("takedowns"."sharing" in ('public', 'private'))
);
CREATE TABLE "user_quotas" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"seconds" bigint,
	"bytes" bigint,
	"tracks" bigint,
	CONSTRAINT "user_quotas_limits" CHECK (least("user_quotas"."seconds", "user_quotas"."bytes", "user_quotas"."tracks") >= -1)
);
CREATE TABLE "authorization_codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"app_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"site_session_hash" text NOT NULL,
	"nonce" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"code_challenge" text,
	"scope" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"redeemed_at" timestamp with time zone,
	"race_ends_at" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"session_id" bigint,
	CONSTRAINT "authorization_codes_nonce_key" UNIQUE("nonce")
);
CREATE TABLE "client_credentials_grants" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"app_id" bigint,
	"address" text NOT NULL,
	"granted_at" timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "consents" (
	"user_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"scope" text DEFAULT '' NOT NULL,
	"granted_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "consents_user_id_app_id_pk" PRIMARY KEY("user_id","app_id")
);
CREATE TABLE "failures" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"bucket" text NOT NULL,
	"failed_at" timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "mail_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"purpose" text NOT NULL,
	"email" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "mail_tokens_purpose" CHECK ("mail_tokens"."purpose" in ('confirm', 'reset', 'cancel'))
);
CREATE TABLE "operator_entries" (
	"session_id" bigint PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"passed_at" timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "operators" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"secret_sealed" "bytea",
	"last_step" bigint,
	"recovery_hashes" text[] DEFAULT '{}' NOT NULL,
	"added_at" timestamp with time zone DEFAULT now() NOT NULL,
	"enrolled_at" timestamp with time zone,
	"code_hash" text,
	"code_expires_at" timestamp with time zone
);
CREATE TABLE "accounts" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"confirmed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "apps" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"client_id" text NOT NULL,
	"secret_hash" text NOT NULL,
	"previous_secret_hash" text,
	"previous_secret_expires_at" timestamp with time zone,
	"owner_id" bigint,
	"name" text NOT NULL,
	"permalink" text NOT NULL,
	"external_url" text,
	"redirect_uris" text[] NOT NULL,
	"first_party" boolean DEFAULT false NOT NULL,
	"registered_by" bigint,
	"disabled_at" timestamp with time zone,
	CONSTRAINT "apps_client_id_key" UNIQUE("client_id"),
	CONSTRAINT "apps_permalink_key" UNIQUE("permalink"),
	CONSTRAINT "apps_permalink_is_no_id" CHECK ("apps"."permalink" !~ '^[0-9]+$')
);
CREATE TABLE "site_sessions" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"browser" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone
);
CREATE TABLE "users" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"permalink" text NOT NULL,
	"username" text NOT NULL,
	"username_key" text,
	"look_alike_key" text,
	"plan" text DEFAULT 'free' NOT NULL,
	"full_name" text,
	"country" text,
	"city" text,
	"description" text,
	"discogs_name" text,
	"myspace_name" text,
	"website" text,
	"website_title" text,
	"avatar_version" text,
	"podcast_guid" uuid,
	"playlist_count" bigint DEFAULT 0 NOT NULL,
	"private_playlists_count" bigint DEFAULT 0 NOT NULL,
	"followers_count" bigint DEFAULT 0 NOT NULL,
	"followings_count" bigint DEFAULT 0 NOT NULL,
	"public_favorites_count" bigint DEFAULT 0 NOT NULL,
	"reposts_count" bigint DEFAULT 0 NOT NULL,
	"comments_count" bigint DEFAULT 0 NOT NULL,
	"quiet_comments_count" bigint DEFAULT 0 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"disabled_at" timestamp with time zone,
	"document" "tsvector" GENERATED ALWAYS AS (user_document(username, full_name, permalink, city, description)) STORED,
	CONSTRAINT "users_plan" CHECK ("users"."plan" in ('free', 'artist', 'artist-pro')),
	CONSTRAINT "users_id_is_exact_in_json" CHECK ("users"."id" between 1 and 9007199254740991)
);
CREATE TABLE "playlist_favorites" (
	"id" bigint DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"playlist_id" bigint NOT NULL,
	CONSTRAINT "playlist_favorites_user_id_playlist_id_pk" PRIMARY KEY("user_id","playlist_id")
);
CREATE TABLE "playlist_reposts" (
	"id" bigint DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"playlist_id" bigint NOT NULL,
	CONSTRAINT "playlist_reposts_user_id_playlist_id_pk" PRIMARY KEY("user_id","playlist_id")
);
CREATE TABLE "playlist_tracks" (
	"playlist_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"track_id" bigint NOT NULL,
	CONSTRAINT "playlist_tracks_playlist_id_position_pk" PRIMARY KEY("playlist_id","position")
);
CREATE TABLE "playlists" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"published_id" bigint DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"title" text NOT NULL,
	"permalink" text NOT NULL,
	"description" text,
	"sanitizer_version" smallint,
	"genre" text,
	"tag_list" text DEFAULT '' NOT NULL,
	"playlist_type" text,
	"license" text DEFAULT 'all-rights-reserved' NOT NULL,
	"label_id" bigint,
	"label_name" text,
	"release" text,
	"release_day" smallint,
	"release_month" smallint,
	"release_year" smallint,
	"ean" text,
	"purchase_url" text,
	"purchase_title" text,
	"artwork_version" text,
	"podcast_guid" uuid,
	"sharing" text DEFAULT 'public' NOT NULL,
	"was_public" boolean DEFAULT false NOT NULL,
	"embeddable_by" text DEFAULT 'all' NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"secret_sealed" "bytea" NOT NULL,
	"favoritings_count" bigint DEFAULT 0 NOT NULL,
	"reposts_count" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "playlists_sharing" CHECK ("playlists"."sharing" in ('public', 'private')),
	CONSTRAINT "playlists_embeddable_by" CHECK ("playlists"."embeddable_by" in ('all', 'me', 'none'))
);
CREATE TABLE "play_marks" (
	"mark" "bytea" PRIMARY KEY NOT NULL,
	"counted_at" timestamp with time zone NOT NULL
);
CREATE TABLE "recent_plays" (
	"user_id" bigint NOT NULL,
	"track_id" bigint NOT NULL,
	"played_at" timestamp with time zone NOT NULL,
	CONSTRAINT "recent_plays_user_id_track_id_pk" PRIMARY KEY("user_id","track_id")
);
CREATE TABLE "user_plays" (
	"user_id" bigint NOT NULL,
	"track_id" bigint NOT NULL,
	"plays" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "user_plays_user_id_track_id_pk" PRIMARY KEY("user_id","track_id")
);
CREATE TABLE "episodes" (
	"track_id" bigint PRIMARY KEY NOT NULL,
	"explicit" boolean,
	"season" smallint,
	"number" integer,
	"transcript_url" text,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "podcasts" (
	"playlist_id" bigint PRIMARY KEY NOT NULL,
	"author" text,
	"owner_name" text,
	"owner_email" text,
	"category" text NOT NULL,
	"language" text NOT NULL,
	"explicit" boolean NOT NULL,
	"podcast_type" text NOT NULL,
	"locked" boolean DEFAULT true NOT NULL,
	"new_feed_url" text,
	"guid" uuid,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "podcasts_type" CHECK ("podcasts"."podcast_type" in ('episodic', 'serial'))
);
CREATE TABLE "posts" (
	"id" bigint NOT NULL,
	"kind" text NOT NULL,
	"user_id" bigint NOT NULL,
	"subject_id" bigint NOT NULL,
	"transaction_id" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "posts_subject_id_kind_user_id_pk" PRIMARY KEY("subject_id","kind","user_id"),
	CONSTRAINT "posts_kind" CHECK ("posts"."kind" in ('track', 'track-repost', 'playlist', 'playlist-repost'))
);
CREATE TABLE "reposts" (
	"id" bigint DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"track_id" bigint NOT NULL,
	CONSTRAINT "reposts_user_id_track_id_pk" PRIMARY KEY("user_id","track_id")
);
CREATE TABLE "track_documents" (
	"id" bigint PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"listed" boolean NOT NULL,
	"sharing" text NOT NULL,
	"bpm" double precision,
	"duration_ms" bigint,
	"document" "tsvector" NOT NULL
);
CREATE TABLE "track_shares" (
	"id" bigint DEFAULT next_id() NOT NULL,
	"track_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"note" text,
	CONSTRAINT "track_shares_track_id_user_id_pk" PRIMARY KEY("track_id","user_id")
);
CREATE TABLE "encoding_jobs" (
	"track_id" bigint PRIMARY KEY NOT NULL,
	"generation" integer DEFAULT 1 NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"lease_token" uuid,
	"lease_until" timestamp with time zone,
	"transcoder" text,
	"turn" timestamp with time zone DEFAULT now() NOT NULL,
	"next_run_at" timestamp with time zone DEFAULT now() NOT NULL,
	"dispatched_at" timestamp with time zone,
	"progress" real DEFAULT 0 NOT NULL,
	"segments_ready" integer DEFAULT 0 NOT NULL,
	"sample_rate" integer,
	"failure_reason" text,
	"failure_retryable" boolean,
	"failure_detail" text,
	"traceparent" text DEFAULT substring(current_query() from 'traceparent=''(00-[0-9a-f]{32}-[0-9a-f]{16}-01)'''),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	CONSTRAINT "encoding_jobs_state" CHECK ("encoding_jobs"."state" in ('queued', 'leased', 'done', 'failed'))
);
CREATE TABLE "tracks" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"published_id" bigint DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"app_id" bigint,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"title" text NOT NULL,
	"permalink" text NOT NULL,
	"artist" text,
	"description" text,
	"sanitizer_version" smallint,
	"genre" text,
	"tag_list" text DEFAULT '' NOT NULL,
	"track_type" text,
	"license" text DEFAULT 'all-rights-reserved' NOT NULL,
	"label_id" bigint,
	"label_name" text,
	"release" text,
	"release_day" smallint,
	"release_month" smallint,
	"release_year" smallint,
	"isrc" text,
	"bpm" double precision,
	"key_signature" text,
	"purchase_url" text,
	"purchase_title" text,
	"video_url" text,
	"artwork_version" text,
	"taken_down_at" timestamp with time zone,
	"sharing" text DEFAULT 'public' NOT NULL,
	"was_public" boolean DEFAULT false NOT NULL,
	"embeddable_by" text DEFAULT 'all' NOT NULL,
	"streamable" boolean DEFAULT true NOT NULL,
	"downloadable" boolean DEFAULT false NOT NULL,
	"commentable" boolean DEFAULT true NOT NULL,
	"reveal_comments" boolean DEFAULT true NOT NULL,
	"reveal_stats" boolean DEFAULT true NOT NULL,
	"paywall" text,
	"available_country_codes" text[],
	"secret_hash" "bytea" NOT NULL,
	"secret_sealed" "bytea" NOT NULL,
	"state" text DEFAULT 'processing' NOT NULL,
	"original_key" text NOT NULL,
	"original_filename" text NOT NULL,
	"original_format" text,
	"original_content_size" bigint NOT NULL,
	"duration_ms" bigint,
	"media_prefix" text,
	"media" jsonb,
	"comment_count" bigint DEFAULT 0 NOT NULL,
	"download_count" bigint DEFAULT 0 NOT NULL,
	"playback_count" bigint DEFAULT 0 NOT NULL,
	"favoritings_count" bigint DEFAULT 0 NOT NULL,
	"reposts_count" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "tracks_sharing" CHECK ("tracks"."sharing" in ('public', 'private')),
	CONSTRAINT "tracks_taken_down_is_private" CHECK ("tracks"."taken_down_at" is null or "tracks"."sharing" = 'private'),
	CONSTRAINT "tracks_embeddable_by" CHECK ("tracks"."embeddable_by" in ('all', 'me', 'none')),
	CONSTRAINT "tracks_state" CHECK ("tracks"."state" in ('processing', 'failed', 'finished')),
	CONSTRAINT "tracks_paywall" CHECK ("tracks"."paywall" in ('preview', 'blocked')),
	CONSTRAINT "tracks_finished_has_media" CHECK ("tracks"."state" <> 'finished' or ("tracks"."media_prefix" is not null and "tracks"."media" is not null and "tracks"."duration_ms" > 0))
);
CREATE TABLE "transcoders" (
	"name" text PRIMARY KEY NOT NULL,
	"slots" smallint NOT NULL,
	"seen_at" timestamp with time zone,
	"rests_until" timestamp with time zone,
	"is_starting" boolean DEFAULT false NOT NULL
);
CREATE TABLE "object_garbage" (
	"prefix" text PRIMARY KEY NOT NULL,
	"bucket" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"closed" boolean DEFAULT false NOT NULL,
	CONSTRAINT "object_garbage_bucket" CHECK ("object_garbage"."bucket" in ('uploads', 'media'))
);
CREATE TABLE "uploads" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"app_id" bigint,
	"filename" text NOT NULL,
	"size" bigint NOT NULL,
	"type" text NOT NULL,
	"last_modified" bigint,
	"status" text DEFAULT 'open' NOT NULL,
	"part_size" integer NOT NULL,
	"part_count" integer NOT NULL,
	"object_key" text NOT NULL,
	"storage_upload_id" text,
	"track_id" bigint,
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "uploads_object_key_key" UNIQUE("object_key"),
	CONSTRAINT "uploads_status" CHECK ("uploads"."status" in ('open', 'completing', 'ready', 'used', 'failed', 'aborted', 'expired'))
);
CREATE TABLE "web_profiles" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"place" smallint NOT NULL,
	"service" text NOT NULL,
	"title" text,
	"url" text NOT NULL,
	"username" text,
	CONSTRAINT "web_profiles_user_id_url_key" UNIQUE("user_id","url")
);
CREATE TABLE "event_streams" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"opened_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last" bigint DEFAULT next_id() NOT NULL,
	"open" bigint[] DEFAULT '{}' NOT NULL
);
CREATE TABLE "stream_events" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"event" text NOT NULL,
	"subject" text,
	"data" jsonb NOT NULL,
	"number" bigint DEFAULT next_id() NOT NULL,
	"previous" bigint,
	CONSTRAINT "stream_events_told_once" UNIQUE("user_id","event","subject")
);
CREATE TABLE "webhook_deliveries" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"webhook_id" bigint NOT NULL,
	"event" text NOT NULL,
	"subject" text,
	"data" jsonb NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"tries" smallint DEFAULT 0 NOT NULL,
	"attempts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"attempt" uuid,
	"next_attempt_at" timestamp with time zone DEFAULT now(),
	"dispatched_at" timestamp with time zone,
	CONSTRAINT "webhook_deliveries_told_once" UNIQUE("webhook_id","event","subject"),
	CONSTRAINT "webhook_deliveries_state" CHECK ("webhook_deliveries"."state" in ('pending', 'delivered', 'failed')),
	CONSTRAINT "webhook_deliveries_next_attempt_at" CHECK (("webhook_deliveries"."state" = 'pending') = ("webhook_deliveries"."next_attempt_at" is not null))
);
CREATE TABLE "webhooks" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"url" text NOT NULL,
	"target_hash" "bytea" NOT NULL,
	"target_host" text NOT NULL,
	"events" text[] NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"disabled_reason" text,
	"slow" boolean DEFAULT false NOT NULL,
	"failing_since" timestamp with time zone,
	"secret_sealed" "bytea" NOT NULL,
	"previous_secret_sealed" "bytea",
	"previous_secret_expires_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhooks_user_id_app_id_target_hash_key" UNIQUE("user_id","app_id","target_hash"),
	CONSTRAINT "webhooks_disabled_reason" CHECK ("webhooks"."disabled_reason" in ('failing', 'gone', 'access_ended'))
);
ALTER TABLE "activities" ADD CONSTRAINT "activities_share_fk" FOREIGN KEY ("shared_track_id","user_id") REFERENCES "public"."track_shares"("track_id","user_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "comments" ADD CONSTRAINT "comments_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "comments" ADD CONSTRAINT "comments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "connection_attempts" ADD CONSTRAINT "connection_attempts_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "connection_posts" ADD CONSTRAINT "connection_posts_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "connection_posts" ADD CONSTRAINT "connection_posts_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "connections" ADD CONSTRAINT "connections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "favorites" ADD CONSTRAINT "favorites_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "favorites" ADD CONSTRAINT "favorites_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "followings" ADD CONSTRAINT "followings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "followings" ADD CONSTRAINT "followings_followee_id_users_id_fk" FOREIGN KEY ("followee_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_site_session_hash_site_sessions_hash_fk" FOREIGN KEY ("site_session_hash") REFERENCES "public"."site_sessions"("hash") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "mails" ADD CONSTRAINT "mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "reports" ADD CONSTRAINT "reports_reporter_id_users_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "suspensions" ADD CONSTRAINT "suspensions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "takedowns" ADD CONSTRAINT "takedowns_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "user_quotas" ADD CONSTRAINT "user_quotas_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_site_session_hash_site_sessions_hash_fk" FOREIGN KEY ("site_session_hash") REFERENCES "public"."site_sessions"("hash") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "client_credentials_grants" ADD CONSTRAINT "client_credentials_grants_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "consents" ADD CONSTRAINT "consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "consents" ADD CONSTRAINT "consents_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "mail_tokens" ADD CONSTRAINT "mail_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "operator_entries" ADD CONSTRAINT "operator_entries_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "operator_entries" ADD CONSTRAINT "operator_entries_user_id_operators_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."operators"("user_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "operators" ADD CONSTRAINT "operators_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "apps" ADD CONSTRAINT "apps_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "apps" ADD CONSTRAINT "apps_registered_by_apps_id_fk" FOREIGN KEY ("registered_by") REFERENCES "public"."apps"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "site_sessions" ADD CONSTRAINT "site_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "playlist_favorites" ADD CONSTRAINT "playlist_favorites_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "playlist_favorites" ADD CONSTRAINT "playlist_favorites_playlist_id_playlists_id_fk" FOREIGN KEY ("playlist_id") REFERENCES "public"."playlists"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "playlist_reposts" ADD CONSTRAINT "playlist_reposts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "playlist_reposts" ADD CONSTRAINT "playlist_reposts_playlist_id_playlists_id_fk" FOREIGN KEY ("playlist_id") REFERENCES "public"."playlists"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "playlist_tracks" ADD CONSTRAINT "playlist_tracks_playlist_id_playlists_id_fk" FOREIGN KEY ("playlist_id") REFERENCES "public"."playlists"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "playlist_tracks" ADD CONSTRAINT "playlist_tracks_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "playlists" ADD CONSTRAINT "playlists_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "playlists" ADD CONSTRAINT "playlists_label_id_users_id_fk" FOREIGN KEY ("label_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "recent_plays" ADD CONSTRAINT "recent_plays_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "recent_plays" ADD CONSTRAINT "recent_plays_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "user_plays" ADD CONSTRAINT "user_plays_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "user_plays" ADD CONSTRAINT "user_plays_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "episodes" ADD CONSTRAINT "episodes_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "podcasts" ADD CONSTRAINT "podcasts_playlist_id_playlists_id_fk" FOREIGN KEY ("playlist_id") REFERENCES "public"."playlists"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "reposts" ADD CONSTRAINT "reposts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "reposts" ADD CONSTRAINT "reposts_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "track_shares" ADD CONSTRAINT "track_shares_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "track_shares" ADD CONSTRAINT "track_shares_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "encoding_jobs" ADD CONSTRAINT "encoding_jobs_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "tracks" ADD CONSTRAINT "tracks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "tracks" ADD CONSTRAINT "tracks_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "tracks" ADD CONSTRAINT "tracks_label_id_users_id_fk" FOREIGN KEY ("label_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "web_profiles" ADD CONSTRAINT "web_profiles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "event_streams" ADD CONSTRAINT "event_streams_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "stream_events" ADD CONSTRAINT "stream_events_user_id_event_streams_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."event_streams"("user_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE cascade ON UPDATE no action;
CREATE INDEX "budgets_ends_at_idx" ON "budgets" USING btree ("ends_at");
CREATE INDEX "comments_track_id_idx" ON "comments" USING btree ("track_id","id");
CREATE INDEX "comments_user_id_idx" ON "comments" USING btree ("user_id","id");
CREATE INDEX "comments_user_id_track_id_idx" ON "comments" USING btree ("user_id","track_id");
CREATE INDEX "connection_attempts_session_id_idx" ON "connection_attempts" USING btree ("session_id","expires_at");
CREATE INDEX "connection_attempts_expires_at_idx" ON "connection_attempts" USING btree ("expires_at");
CREATE INDEX "connection_posts_track_id_idx" ON "connection_posts" USING btree ("track_id");
CREATE INDEX "connection_posts_due_at_idx" ON "connection_posts" USING btree ("due_at") WHERE "connection_posts"."due_at" is not null;
CREATE INDEX "connections_user_id_idx" ON "connections" USING btree ("user_id","id");
CREATE INDEX "refresh_tokens_session_id_idx" ON "refresh_tokens" USING btree ("session_id");
CREATE INDEX "sessions_user_id_idx" ON "sessions" USING btree ("user_id","last_used_at") WHERE "sessions"."user_id" is not null;
CREATE INDEX "sessions_app_id_idx" ON "sessions" USING btree ("app_id");
CREATE INDEX "sessions_site_session_hash_idx" ON "sessions" USING btree ("site_session_hash") WHERE "sessions"."site_session_hash" is not null;
CREATE INDEX "sessions_expires_at_idx" ON "sessions" USING btree ("expires_at");
CREATE INDEX "sessions_revoked_at_idx" ON "sessions" USING btree ("revoked_at") WHERE "sessions"."revoked_at" is not null;
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys" USING btree ("expires_at");
CREATE INDEX "mails_user_id_idx" ON "mails" USING btree ("user_id");
CREATE INDEX "mails_due_idx" ON "mails" USING btree ("next_attempt_at") WHERE "mails"."state" = 'waiting';
CREATE INDEX "audit_log_target_idx" ON "audit_log" USING btree ("target_kind","target_id","id");
CREATE INDEX "reports_open_idx" ON "reports" USING btree ("id") WHERE "reports"."state" = 'open';
CREATE INDEX "reports_target_idx" ON "reports" USING btree ("target_kind","target_id");
CREATE INDEX "reports_reporter_id_idx" ON "reports" USING btree ("reporter_id") WHERE "reports"."reporter_id" is not null;
CREATE INDEX "authorization_codes_app_id_idx" ON "authorization_codes" USING btree ("app_id");
CREATE INDEX "authorization_codes_user_id_idx" ON "authorization_codes" USING btree ("user_id");
CREATE INDEX "authorization_codes_expires_at_idx" ON "authorization_codes" USING btree ("expires_at");
CREATE INDEX "authorization_codes_session_id_idx" ON "authorization_codes" USING btree ("session_id");
CREATE INDEX "client_credentials_grants_app_idx" ON "client_credentials_grants" USING btree ("app_id","granted_at");
CREATE INDEX "client_credentials_grants_address_idx" ON "client_credentials_grants" USING btree ("address","granted_at");
CREATE INDEX "consents_app_id_idx" ON "consents" USING btree ("app_id");
CREATE INDEX "failures_bucket_idx" ON "failures" USING btree ("bucket","failed_at");
CREATE INDEX "failures_failed_at_idx" ON "failures" USING btree ("failed_at");
CREATE INDEX "mail_tokens_user_id_idx" ON "mail_tokens" USING btree ("user_id");
CREATE INDEX "operator_entries_user_id_idx" ON "operator_entries" USING btree ("user_id");
CREATE UNIQUE INDEX "accounts_email_key" ON "accounts" USING btree (lower("email"));
CREATE INDEX "apps_owner_id_idx" ON "apps" USING btree ("owner_id","id");
CREATE INDEX "apps_registered_by_idx" ON "apps" USING btree ("registered_by");
CREATE UNIQUE INDEX "users_permalink_key" ON "users" USING btree (lower("permalink"));
CREATE UNIQUE INDEX "users_username_key" ON "users" USING btree ("username_key") WHERE "users"."username_key" is not null;
CREATE UNIQUE INDEX "users_look_alike_key" ON "users" USING btree ("look_alike_key") WHERE "users"."look_alike_key" is not null;
CREATE UNIQUE INDEX "playlist_tracks_track_id_key" ON "playlist_tracks" USING btree ("track_id","playlist_id");
CREATE UNIQUE INDEX "playlists_user_id_permalink_key" ON "playlists" USING btree ("user_id","permalink");
CREATE UNIQUE INDEX "playlists_secret_hash_key" ON "playlists" USING btree ("secret_hash");
CREATE INDEX "playlists_user_id_id_idx" ON "playlists" USING btree ("user_id","id");
CREATE INDEX "playlists_user_id_published_id_idx" ON "playlists" USING btree ("user_id","published_id");
CREATE INDEX "playlists_public_idx" ON "playlists" USING btree ("id") WHERE "playlists"."sharing" = 'public';
CREATE INDEX "playlists_user_id_public_idx" ON "playlists" USING btree ("user_id","id") WHERE "playlists"."sharing" = 'public';
CREATE INDEX "play_marks_counted_at_idx" ON "play_marks" USING btree ("counted_at");
CREATE INDEX "recent_plays_user_id_idx" ON "recent_plays" USING btree ("user_id","played_at");
CREATE INDEX "recent_plays_track_id_idx" ON "recent_plays" USING btree ("track_id");
CREATE INDEX "user_plays_track_id_idx" ON "user_plays" USING btree ("track_id");
CREATE INDEX "track_documents_document_idx" ON "track_documents" USING gin ("document") WITH (fastupdate=false);
CREATE INDEX "track_documents_user_id_idx" ON "track_documents" USING btree ("user_id","id");
CREATE INDEX "track_documents_unlisted_idx" ON "track_documents" USING btree ("user_id","id") WHERE not "track_documents"."listed";
CREATE INDEX "track_documents_bpm_idx" ON "track_documents" USING btree ("bpm","id");
CREATE INDEX "track_documents_duration_ms_idx" ON "track_documents" USING btree ("duration_ms","id");
CREATE INDEX "encoding_jobs_queued_idx" ON "encoding_jobs" USING btree ("turn") WHERE "encoding_jobs"."state" = 'queued';
CREATE INDEX "encoding_jobs_leased_idx" ON "encoding_jobs" USING btree ("transcoder") WHERE "encoding_jobs"."state" = 'leased';
CREATE INDEX "encoding_jobs_failed_idx" ON "encoding_jobs" USING btree ("track_id") WHERE "encoding_jobs"."state" = 'failed';
CREATE UNIQUE INDEX "tracks_user_id_permalink_key" ON "tracks" USING btree ("user_id","permalink");
CREATE INDEX "tracks_user_id_id_idx" ON "tracks" USING btree ("user_id","id");
CREATE INDEX "tracks_user_id_published_id_idx" ON "tracks" USING btree ("user_id","published_id");
CREATE INDEX "tracks_user_id_quiet_idx" ON "tracks" USING btree ("user_id") WHERE not "tracks"."reveal_comments";
CREATE INDEX "tracks_app_id_idx" ON "tracks" USING btree ("app_id") WHERE "tracks"."app_id" is not null;
CREATE INDEX "tracks_user_id_public_idx" ON "tracks" USING btree ("user_id","id") WHERE "tracks"."sharing" = 'public' and "tracks"."state" <> 'failed';
CREATE INDEX "object_garbage_due_at_idx" ON "object_garbage" USING btree ("due_at");
CREATE INDEX "object_garbage_closed_idx" ON "object_garbage" USING btree ("prefix") WHERE "object_garbage"."closed";
CREATE INDEX "uploads_user_id_open_idx" ON "uploads" USING btree ("user_id","id") WHERE "uploads"."status" in ('open', 'completing');
CREATE INDEX "uploads_user_id_id_idx" ON "uploads" USING btree ("user_id","id");
CREATE INDEX "uploads_app_id_idx" ON "uploads" USING btree ("app_id") WHERE "uploads"."app_id" is not null;
CREATE INDEX "uploads_track_id_idx" ON "uploads" USING btree ("track_id") WHERE "uploads"."track_id" is not null;
CREATE INDEX "uploads_expires_at_idx" ON "uploads" USING btree ("expires_at") WHERE "uploads"."status" in ('open', 'completing', 'ready');
CREATE INDEX "uploads_ended_idx" ON "uploads" USING btree ("expires_at") WHERE "uploads"."status" in ('failed', 'aborted', 'expired');
CREATE INDEX "stream_events_number_idx" ON "stream_events" USING btree ("user_id","number");
CREATE INDEX "webhook_deliveries_webhook_id_idx" ON "webhook_deliveries" USING btree ("webhook_id","id");
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries" USING btree ("webhook_id","next_attempt_at") WHERE "webhook_deliveries"."state" = 'pending';
CREATE INDEX "webhook_deliveries_running_idx" ON "webhook_deliveries" USING btree ("webhook_id") WHERE "webhook_deliveries"."attempt" is not null;
CREATE INDEX "webhook_deliveries_failed_idx" ON "webhook_deliveries" USING btree ("id") WHERE "webhook_deliveries"."state" = 'failed';
CREATE INDEX "webhooks_user_id_idx" ON "webhooks" USING btree ("user_id","id");
CREATE INDEX "webhooks_app_id_idx" ON "webhooks" USING btree ("app_id");

-- Objects that drizzle-kit cannot express.
CREATE INDEX site_sessions_user_id_idx ON site_sessions (user_id);
CREATE INDEX site_sessions_expires_at_idx ON site_sessions (expires_at);
CREATE INDEX authorization_codes_site_session_hash_idx ON authorization_codes (site_session_hash);
CREATE INDEX mail_tokens_expires_at_idx ON mail_tokens (expires_at);
CREATE INDEX favorites_track_id_idx ON favorites (track_id, id DESC) INCLUDE (user_id);
CREATE INDEX favorites_user_id_idx ON favorites (user_id, id DESC) INCLUDE (track_id);
CREATE INDEX track_shares_user_id_idx ON track_shares (user_id, id DESC) INCLUDE (track_id);
CREATE INDEX counter_deltas_subject_idx ON counter_deltas (subject_id, kind) INCLUDE (counter, delta);
CREATE INDEX followings_user_id_idx ON followings (user_id, id DESC) INCLUDE (followee_id);
CREATE INDEX followings_followee_id_idx ON followings (followee_id, id DESC) INCLUDE (user_id);
CREATE INDEX users_document_idx ON users USING gin (document) WITH (fastupdate = off);
CREATE INDEX reposts_track_id_idx ON reposts (track_id, id DESC) INCLUDE (user_id);
CREATE INDEX reposts_user_id_idx ON reposts (user_id, id DESC) INCLUDE (track_id);
CREATE TABLE playlist_search (
  id bigint PRIMARY KEY REFERENCES playlists (id) ON DELETE CASCADE, user_id bigint NOT NULL, public boolean NOT NULL, document tsvector NOT NULL
);
CREATE INDEX playlist_search_document_idx ON playlist_search USING gin (document) WITH (fastupdate = off);
CREATE INDEX playlist_favorites_playlist_id_idx ON playlist_favorites (playlist_id, id DESC) INCLUDE (user_id);
CREATE INDEX playlist_favorites_user_id_idx ON playlist_favorites (user_id, id DESC) INCLUDE (playlist_id);
CREATE INDEX playlist_reposts_playlist_id_idx ON playlist_reposts (playlist_id, id DESC) INCLUDE (user_id);
CREATE INDEX playlist_reposts_user_id_idx ON playlist_reposts (user_id, id DESC) INCLUDE (playlist_id);
CREATE INDEX posts_id_idx ON posts (id DESC) INCLUDE (user_id, kind, subject_id, transaction_id);
CREATE INDEX posts_user_id_id_idx ON posts (user_id, id DESC) INCLUDE (kind, subject_id, transaction_id);
CREATE INDEX activities_comment_id_idx ON activities (comment_id) WHERE comment_id IS NOT NULL;
CREATE UNIQUE INDEX activities_favorite_key ON activities (actor_id, favored_track_id) WHERE favored_track_id IS NOT NULL;
CREATE UNIQUE INDEX activities_share_key ON activities (shared_track_id, user_id) WHERE shared_track_id IS NOT NULL;
CREATE INDEX activities_sharer_idx ON activities (user_id, actor_id, id) WHERE shared_track_id IS NOT NULL;
CREATE SCHEMA sandbox;
CREATE TABLE sandbox.marker (id boolean PRIMARY KEY DEFAULT true CHECK (id), taken_at timestamptz, restored_at timestamptz);
CREATE TABLE kept_objects (prefix text PRIMARY KEY, bucket text NOT NULL);
CREATE INDEX tracks_label_id_idx ON tracks (label_id) WHERE label_id IS NOT NULL;
CREATE INDEX playlists_label_id_idx ON playlists (label_id) WHERE label_id IS NOT NULL;
ALTER TABLE counter_deltas SET (vacuum_truncate = off);
CREATE INDEX users_disabled_idx ON users (id) WHERE disabled_at IS NOT NULL;
CREATE VIEW public_posts AS
  SELECT t.published_id AS id, 'track' AS kind, t.user_id, t.id AS subject_id, t.user_id AS owner_id
  FROM tracks t JOIN users o ON o.id = t.user_id
  WHERE t.sharing = 'public' AND t.state <> 'failed' AND o.disabled_at IS NULL
  UNION ALL
  SELECT r.id, 'track-repost', r.user_id, t.id, t.user_id
  FROM reposts r JOIN users u ON u.id = r.user_id JOIN tracks t ON t.id = r.track_id JOIN users o ON o.id = t.user_id
  WHERE t.sharing = 'public' AND t.state <> 'failed' AND o.disabled_at IS NULL AND u.disabled_at IS NULL
  UNION ALL
  SELECT p.published_id, 'playlist', p.user_id, p.id, p.user_id
  FROM playlists p JOIN users o ON o.id = p.user_id
  WHERE p.sharing = 'public' AND o.disabled_at IS NULL
  UNION ALL
  SELECT r.id, 'playlist-repost', r.user_id, p.id, p.user_id
  FROM playlist_reposts r JOIN users u ON u.id = r.user_id JOIN playlists p ON p.id = r.playlist_id
    JOIN users o ON o.id = p.user_id
  WHERE p.sharing = 'public' AND o.disabled_at IS NULL AND u.disabled_at IS NULL;
-- Free space in each page keeps updated counts on it, without index changes.
ALTER TABLE budgets SET (fillfactor = 70);
INSERT INTO recounts (kind) VALUES ('track'), ('playlist'), ('user');
-- The site is an app of its own: without an owner, a secret and redirect addresses, so that no other flow opens it.
INSERT INTO apps (client_id, secret_hash, name, permalink, redirect_uris, first_party)
VALUES ('site', '', 'This site', 'site', '{}', true);
-- With two favorites for each user and track on average, the planner always prefers the key. With one it finds all indexes equally
-- cheap, and may read everything that a busy user or a popular track has.
ALTER TABLE favorites ALTER COLUMN user_id SET (n_distinct = -0.5), ALTER COLUMN track_id SET (n_distinct = -0.5);
ALTER TABLE reposts ALTER COLUMN user_id SET (n_distinct = -0.5), ALTER COLUMN track_id SET (n_distinct = -0.5);
ALTER TABLE track_shares ALTER COLUMN user_id SET (n_distinct = -0.5), ALTER COLUMN track_id SET (n_distinct = -0.5);
ALTER TABLE playlist_favorites ALTER COLUMN user_id SET (n_distinct = -0.5), ALTER COLUMN playlist_id SET (n_distinct = -0.5);
ALTER TABLE playlist_reposts ALTER COLUMN user_id SET (n_distinct = -0.5), ALTER COLUMN playlist_id SET (n_distinct = -0.5);
ALTER TABLE followings ALTER COLUMN user_id SET (n_distinct = -0.5), ALTER COLUMN followee_id SET (n_distinct = -0.5);
-- Lists are planned for the filters of the request, and pages in memory cost little out of order.
DO $$
BEGIN
  EXECUTE format('ALTER DATABASE %I SET random_page_cost = 1.1', current_database());
EXCEPTION WHEN insufficient_privilege THEN
  NULL;
END $$;
