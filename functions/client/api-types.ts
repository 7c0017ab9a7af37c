/** Written from the API document by `npm test -- test/units/client-types.test.ts -u`. */

export interface paths {
  "/users": {
    /**
     * List or search users, newest first
     * @description Filters combine with AND. Without `q` the newest users come first.
     */
    get: operations["listUsers"];
  };
  "/users/{id}": {
    /**
     * Get a user
     * @description Each counter is the length of the list that you get: what you cannot see does not count. Your own private tracks and playlists have counters of their own, at `/me`.
     */
    get: operations["getUser"];
  };
  "/users/{id}/related": {
    /**
     * List related users
     * @description Users whom the user's followers also follow, most shared followers first. Counts the newest 200 followers and the newest 100 followings of each. You are left out. A search does not change the order.
     */
    get: operations["listRelatedUsers"];
  };
  "/me/related": {
    /**
     * List users related to you
     * @description Users whom your followers also follow, as `GET /users/{id}/related` lists them.
     */
    get: operations["listMyRelatedUsers"];
  };
  "/me": {
    /**
     * Get the authenticated user
     * @description Your profile with private counts, plan and limits.
     */
    get: operations["getMe"];
    /**
     * Update your profile
     * @description Read-only fields are ignored.
     */
    put: operations["updateMe"];
  };
  "/me/userinfo": {
    /**
     * Get the authenticated user as claims of OpenID Connect
     * @description Libraries that sign people in read it by themselves, as `userinfo_endpoint` of the metadata.
     */
    get: operations["getUserInfo"];
  };
  "/tracks": {
    /**
     * List or search tracks, newest first
     * @description Public tracks and your own. Filters combine with AND, entries of a comma-separated list with OR. Like every list of tracks, a page ends early at 2 MiB of descriptions; `next_href` leads on.
     */
    get: operations["listTracks"];
    /**
     * Create a track
     * @description Takes a file in a multipart form, with fields before or after it, or an upload session by its `upload_id`. Repeating a request with the same `upload_id` returns the first track. The track is queued for encoding.
     */
    post: operations["createTrack"];
  };
  "/me/tracks": {
    /**
     * List your tracks, newest first
     * @description Private and unfinished tracks too. The latest first publication comes first; a track that was never public stands by its upload. Takes the filters of `/tracks`.
     */
    get: operations["listMyTracks"];
  };
  "/users/{id}/tracks": {
    /**
     * List a user's tracks, newest first
     * @description The latest first publication comes first, as on the profile and in feeds. Takes the filters of `/tracks`. Your own list includes private items.
     */
    get: operations["listUserTracks"];
  };
  "/tracks/{id}": {
    /**
     * Get a track
     * @description A private track needs its `secret_token`, unless it is yours or shared with you. `ETag` saves repeated transfers.
     */
    get: operations["getTrack"];
    /**
     * Update a track
     * @description Omitted fields stay unchanged. Null or an empty form value clears a nullable field. The audio cannot be replaced.
     */
    put: operations["updateTrack"];
    /**
     * Delete a track
     * @description Deletes audio, comments and likes too. Its streams end within a minute.
     */
    delete: operations["deleteTrack"];
  };
  "/me/tracks/{id}": {
    /**
     * Get one of your tracks
     * @description Like `/tracks/{id}`, but 404 for other users' tracks.
     */
    get: operations["getMyTrack"];
  };
  "/tracks/{id}/related": {
    /**
     * List related tracks
     * @description Sorted by shared metadata: the artist's name counts three, each tag two, the genre one. Ties go to the newer track, and the owner's other tracks come last. Only the newest 500 tracks with a common value count, and the newest 200 of the owner's. Takes the filters of `/tracks`. A search does not change the order; `sort` uses the time.
     */
    get: operations["listRelatedTracks"];
  };
  "/tracks/{id}/streams": {
    /**
     * Get the links to a track's streams
     * @description While a track is being encoded, the HLS links play what is ready and grow. The other links come with `finished`.
     */
    get: operations["getTrackStreams"];
  };
  "/tracks/{id}/stream": {
    /**
     * Get the links to a track's streams, under the older name
     * @description Redirects to the MP3 in the older dialect.
     */
    get: operations["getTrackStream"];
  };
  "/tracks/{id}/preview": {
    /**
     * Get the preview of a track
     * @description Redirects to an MP3 of its first 30 seconds.
     */
    get: operations["getTrackPreview"];
  };
  "/tracks/{id}/download": {
    /**
     * Download the original file of a track
     * @description 404 unless the track is downloadable or yours. HEAD does not count as a download.
     */
    get: operations["downloadTrack"];
  };
  "/tracks/{id}/attachments": {
    /**
     * List a track's attachments
     * @description Always empty: attachments are no part of this service.
     */
    get: operations["listTrackAttachments"];
  };
  "/tracks/{id}/secret-token": {
    /**
     * Get a track's secret token
     * @description Owners only. Whoever has the token can open the private track.
     */
    get: operations["getTrackSecretToken"];
    /**
     * Replace a track's secret token
     * @description Links with the old token stop working at once, including links to a private track's audio.
     */
    put: operations["replaceTrackSecretToken"];
  };
  "/tracks/{id}/shared-to/users": {
    /**
     * Get the people a track is shared with
     * @description Owners only. These people see the private track without its token.
     */
    get: operations["getTrackShares"];
    /**
     * Share a track with people
     * @description Replaces the whole list. These people can see and hear the track even if it is private.
     */
    put: operations["replaceTrackShares"];
  };
  "/tracks/{id}/retry": {
    /**
     * Encode a failed track again
     * @description Only a track whose `state` is `failed`. It becomes `processing`.
     */
    post: operations["retryTrack"];
  };
  "/playlists": {
    /**
     * List or search playlists, newest first
     * @description Public playlists and your own. With tracks, a page ends early at 1000 tracks; `linked_partitioning` leads on.
     */
    get: operations["listPlaylists"];
    /**
     * Create a playlist
     * @description `tracks` takes objects with an `id` or a `urn`, in the order to play.
     */
    post: operations["createPlaylist"];
  };
  "/me/playlists": {
    /**
     * List your playlists, newest first
     * @description With tracks, a page ends early at 1000 tracks; `linked_partitioning` leads on.
     */
    get: operations["listMyPlaylists"];
  };
  "/users/{id}/playlists": {
    /**
     * List a user's playlists, newest first
     * @description Your own list includes private items. With tracks, a page ends early at 1000 tracks; `linked_partitioning` leads on.
     */
    get: operations["listUserPlaylists"];
  };
  "/playlists/{id}": {
    /**
     * Get a playlist
     * @description Includes only tracks that you can see; counts and durations cover these.
     */
    get: operations["getPlaylist"];
    /**
     * Update a playlist
     * @description Omitted fields stay unchanged. Null or an empty form value clears a nullable field. `tracks` adds to the list; `/playlists/{id}/tracks` replaces and removes tracks.
     */
    put: operations["updatePlaylist"];
    /**
     * Delete a playlist
     * @description Its tracks stay.
     */
    delete: operations["deletePlaylist"];
  };
  "/me/playlists/{id}": {
    /**
     * Get one of your playlists
     * @description Like `/playlists/{id}`, but 404 for other users' playlists.
     */
    get: operations["getMyPlaylist"];
  };
  "/playlists/{id}/tracks": {
    /**
     * List a playlist's tracks, in its order
     * @description Takes the filters of `/tracks`. A search does not change the order; `sort` uses the time.
     */
    get: operations["listPlaylistTracks"];
    /**
     * Replace a playlist's tracks
     * @description Replaces the whole list, in the given order. Tracks that their owners hide at present are kept, each behind the one before it.
     */
    put: operations["replacePlaylistTracks"];
  };
  "/playlists/{id}/tracks/{trackId}": {
    /**
     * Remove a track from a playlist
     * @description The other tracks keep their order.
     */
    delete: operations["removePlaylistTrack"];
  };
  "/playlists/{id}/secret-token": {
    /**
     * Get a playlist's secret token
     * @description Owners only. Whoever has the token can open the private playlist.
     */
    get: operations["getPlaylistSecretToken"];
    /**
     * Replace a playlist's secret token
     * @description Links with the old token stop working at once.
     */
    put: operations["replacePlaylistSecretToken"];
  };
  "/playlists/{id}/podcast": {
    /**
     * Get a playlist's podcast fields
     * @description Owners only. 404 while the playlist is no podcast. Every playlist has a feed; these fields are what directories ask for.
     */
    get: operations["getPodcast"];
    /**
     * Change a playlist's podcast fields
     * @description Makes the playlist a podcast if it is none. Omitted fields stay unchanged. Null or an empty form value clears a nullable field.
     */
    put: operations["changePodcast"];
    /**
     * Remove a playlist's podcast fields
     * @description The playlist and its feed stay.
     */
    delete: operations["deletePodcast"];
  };
  "/tracks/{id}/episode": {
    /**
     * Get a track's fields as an episode
     * @description Owners only. All but `chapters` are null until you set them.
     */
    get: operations["getEpisode"];
    /**
     * Change a track's fields as an episode
     * @description Only feeds show them. Omitted fields stay unchanged. Null or an empty form value clears a field. Chapters come from the track's description: lines that begin with a time, such as `0:00 Hello` and `12:30 The guest`.
     */
    put: operations["changeEpisode"];
  };
  "/likes/tracks/{id}": {
    /**
     * Like a track
     * @description Repeating is harmless and does not count against a budget.
     */
    post: operations["likeTrack"];
    /**
     * Remove a like from a track
     * @description Repeating is harmless and does not count against a budget.
     */
    delete: operations["unlikeTrack"];
  };
  "/likes/playlists/{id}": {
    /**
     * Like a playlist
     * @description Repeating is harmless and does not count against a budget.
     */
    post: operations["likePlaylist"];
    /**
     * Remove a like from a playlist
     * @description Repeating is harmless and does not count against a budget.
     */
    delete: operations["unlikePlaylist"];
  };
  "/reposts/tracks/{id}": {
    /**
     * Repost a track
     * @description Repeating is harmless and does not count against a budget.
     */
    post: operations["repostTrack"];
    /**
     * Remove a repost of a track
     * @description Repeating is harmless and does not count against a budget.
     */
    delete: operations["unrepostTrack"];
  };
  "/reposts/playlists/{id}": {
    /**
     * Repost a playlist
     * @description Repeating is harmless and does not count against a budget.
     */
    post: operations["repostPlaylist"];
    /**
     * Remove a repost of a playlist
     * @description Repeating is harmless and does not count against a budget.
     */
    delete: operations["unrepostPlaylist"];
  };
  "/me/likes/tracks": {
    /**
     * List tracks that you like, latest like first
     * @description Takes the filters of `/tracks`; `sort` uses the time of the like.
     */
    get: operations["listMyLikedTracks"];
  };
  "/me/favorites": {
    /**
     * List tracks that you like, latest like first
     * @description Takes the filters of `/tracks`; `sort` uses the time of the like.
     */
    get: operations["listMyFavorites"];
  };
  "/users/{id}/likes/tracks": {
    /**
     * List tracks that a user likes, latest like first
     * @description Takes the filters of `/tracks`; `sort` uses the time of the like.
     */
    get: operations["listUserLikedTracks"];
  };
  "/users/{id}/favorites": {
    /**
     * List tracks that a user likes, latest like first
     * @description Takes the filters of `/tracks`; `sort` uses the time of the like.
     */
    get: operations["listUserFavorites"];
  };
  "/users/{id}/favorites/{track}": {
    /**
     * Get one of the tracks that a user likes
     * @description 404 if the user does not like it, or you cannot see it.
     */
    get: operations["getUserFavorite"];
    /**
     * Add a track to your favorites
     * @description The `id` must be yours. Repeating changes nothing.
     */
    put: operations["addUserFavorite"];
    /**
     * Remove a track from your favorites
     * @description The `id` must be yours.
     */
    delete: operations["removeUserFavorite"];
  };
  "/me/favorites/ids": {
    /**
     * List the ids of tracks that you like, latest like first
     * @description Takes the filters of `/tracks`; `sort` uses the time of the like.
     */
    get: operations["listMyFavoriteIds"];
  };
  "/me/favorites/{id}": {
    /**
     * Get one of the tracks that you like
     * @description 404 if you do not like it, or can no longer see it.
     */
    get: operations["getMyFavorite"];
    /**
     * Add a track to your favorites
     * @description The same as liking. Repeating changes nothing.
     */
    put: operations["addFavorite"];
    /**
     * Remove a track from your favorites
     * @description The same as unliking.
     */
    delete: operations["removeFavorite"];
  };
  "/me/likes/playlists": {
    /**
     * List playlists that you like, latest like first
     * @description Takes the filters of `/playlists`. With tracks, a page ends early at 1000 tracks; `linked_partitioning` leads on.
     */
    get: operations["listMyLikedPlaylists"];
  };
  "/users/{id}/likes/playlists": {
    /**
     * List playlists that a user likes, latest like first
     * @description Takes the filters of `/playlists`. With tracks, a page ends early at 1000 tracks; `linked_partitioning` leads on.
     */
    get: operations["listUserLikedPlaylists"];
  };
  "/me/reposts/tracks": {
    /**
     * List tracks that you reposted, latest repost first
     * @description Takes the filters of `/tracks`; `sort` uses the time of the repost.
     */
    get: operations["listMyRepostedTracks"];
  };
  "/users/{id}/reposts/tracks": {
    /**
     * List tracks that a user reposted, latest repost first
     * @description Takes the filters of `/tracks`; `sort` uses the time of the repost.
     */
    get: operations["listUserRepostedTracks"];
  };
  "/me/reposts/playlists": {
    /**
     * List playlists that you reposted, latest repost first
     * @description Takes the filters of `/playlists`. With tracks, a page ends early at 1000 tracks; `linked_partitioning` leads on.
     */
    get: operations["listMyRepostedPlaylists"];
  };
  "/users/{id}/reposts/playlists": {
    /**
     * List playlists that a user reposted, latest repost first
     * @description Takes the filters of `/playlists`. With tracks, a page ends early at 1000 tracks; `linked_partitioning` leads on.
     */
    get: operations["listUserRepostedPlaylists"];
  };
  "/tracks/{id}/favoriters": {
    /**
     * List users who like a track, latest first
     * @description Empty to others if the owner hides counts.
     */
    get: operations["listTrackFavoriters"];
  };
  "/tracks/{id}/reposters": {
    /**
     * List users who reposted a track, latest first
     * @description Empty to others if the owner hides counts.
     */
    get: operations["listTrackReposters"];
  };
  "/playlists/{id}/favoriters": {
    /**
     * List users who like a playlist, latest first
     * @description A private playlist needs its `secret_token`.
     */
    get: operations["listPlaylistFavoriters"];
  };
  "/playlists/{id}/reposters": {
    /**
     * List users who reposted a playlist, latest first
     * @description A private playlist needs its `secret_token`.
     */
    get: operations["listPlaylistReposters"];
  };
  "/tracks/{id}/favoriters/{user}": {
    /**
     * Get one user who likes a track
     * @description 404 if the user does not like the track, or its owner hides counts from you.
     */
    get: operations["getTrackFavoriter"];
  };
  "/comments/{id}": {
    /**
     * Get a comment
     * @description You see it if you can see its track.
     */
    get: operations["getComment"];
  };
  "/tracks/{id}/comments": {
    /**
     * List a track's comments, newest first
     * @description Timed comments have a `timestamp` in milliseconds.
     */
    get: operations["listTrackComments"];
    /**
     * Comment on a track
     * @description With a `timestamp` it belongs to that moment of the track. `body` is HTML.
     */
    post: operations["createComment"];
  };
  "/tracks/{id}/comments/{commentId}": {
    /**
     * Get a comment on a track
     * @description You see it if you can see its track.
     */
    get: operations["getTrackComment"];
    /**
     * Edit a comment
     * @description Omitted fields stay unchanged. `timestamp: null` clears the timestamp.
     */
    put: operations["updateComment"];
    /**
     * Delete a comment
     * @description Allowed to the comment's author, even without access to the track, and to the track's owner.
     */
    delete: operations["deleteComment"];
  };
  "/users/{id}/comments": {
    /**
     * List a user's comments, newest first
     * @description Only comments on tracks that you can see.
     */
    get: operations["listUserComments"];
  };
  "/me/comments": {
    /**
     * List your comments, newest first
     * @description Only comments on tracks that you can still see.
     */
    get: operations["listMyComments"];
  };
  "/tracks/{id}/plays": {
    /**
     * Report that a track is being played
     * @description For players that do not fetch our streams: fetching a stream counts by itself. However often it is reported, a listener's play of a track counts once in any 30 minutes.
     */
    post: operations["playTrack"];
  };
  "/me/recently-played/tracks": {
    /**
     * List tracks that you played, latest play first
     * @description The last 100 tracks, each once. Takes the filters of `/tracks`. A search does not change the order; `sort` uses the time of the play.
     */
    get: operations["listRecentlyPlayedTracks"];
  };
  "/me/feed": {
    /**
     * List posts and reposts of users you follow
     * @description Lists tracks and playlists by time of publication or repost. Each post and each repost is a separate item. Newest first, always wrapped. `next_href` leads to older items and is absent on the last page. `future_href` is the same on all pages and later leads to newer items.
     */
    get: operations["listFeed"];
  };
  "/me/feed/tracks": {
    /**
     * List tracks posted and reposted by users you follow
     * @description Newest first, always wrapped. `next_href` leads to older items and is absent on the last page. `future_href` is the same on all pages and later leads to newer items.
     */
    get: operations["listFeedTracks"];
  };
  "/me/followings/tracks": {
    /**
     * List tracks of users you follow, newest first
     * @description Sorted by publication, without reposts; `/me/feed/tracks` includes those. Takes the filters of `/tracks`. A search does not change the order; `sort` uses that time. A page searches 20,000 tracks at most; the list ends if too few of them match.
     */
    get: operations["listFollowedTracks"];
  };
  "/me/activities": {
    /**
     * List activities around you
     * @description Lists comments on and likes of your tracks, replies to your comments, tracks shared with you, and tracks of users you follow. A reply is a later comment on the same track, at the same time in it or beginning with `@` and your name. A track that is both shared and followed counts as shared. Undone actions disappear. Newest first, always wrapped. `next_href` leads to older items and is absent on the last page. `future_href` is the same on all pages and later leads to newer items.
     */
    get: operations["listActivities"];
  };
  "/me/activities/all": {
    /**
     * List activities around you, under the longer name
     * @description Lists comments on and likes of your tracks, replies to your comments, tracks shared with you, and tracks of users you follow. A reply is a later comment on the same track, at the same time in it or beginning with `@` and your name. A track that is both shared and followed counts as shared. Undone actions disappear. Newest first, always wrapped. `next_href` leads to older items and is absent on the last page. `future_href` is the same on all pages and later leads to newer items.
     */
    get: operations["listAllActivities"];
  };
  "/me/activities/all/own": {
    /**
     * List activities on your own tracks
     * @description Newest first, always wrapped. `next_href` leads to older items and is absent on the last page. `future_href` is the same on all pages and later leads to newer items.
     */
    get: operations["listOwnActivities"];
  };
  "/me/activities/tracks": {
    /**
     * List tracks shared with you, and tracks of users you follow
     * @description Newest first, always wrapped. `next_href` leads to older items and is absent on the last page. `future_href` is the same on all pages and later leads to newer items.
     */
    get: operations["listTrackActivities"];
  };
  "/me/activities/tracks/affiliated": {
    /**
     * List tracks of users you follow
     * @description Newest first, always wrapped. `next_href` leads to older items and is absent on the last page. `future_href` is the same on all pages and later leads to newer items.
     */
    get: operations["listAffiliatedTracks"];
  };
  "/me/activities/tracks/exclusive": {
    /**
     * List tracks shared with you and at most nine others
     * @description Newest first, always wrapped. `next_href` leads to older items and is absent on the last page. `future_href` is the same on all pages and later leads to newer items.
     */
    get: operations["listExclusiveTracks"];
  };
  "/users/{id}/followings": {
    /**
     * List users whom a user follows, newest first
     * @description Always wrapped, whatever `linked_partitioning` says.
     */
    get: operations["listUserFollowings"];
  };
  "/users/{id}/followers": {
    /**
     * List a user's followers, newest first
     * @description Always wrapped, whatever `linked_partitioning` says.
     */
    get: operations["listUserFollowers"];
  };
  "/me/followings": {
    /**
     * List users whom you follow, newest first
     * @description Always wrapped, whatever `linked_partitioning` says.
     */
    get: operations["listMyFollowings"];
  };
  "/me/followers": {
    /**
     * List your followers, newest first
     * @description Always wrapped, whatever `linked_partitioning` says.
     */
    get: operations["listMyFollowers"];
  };
  "/users/{id}/followings/{userId}": {
    /**
     * Get one user whom a user follows
     * @description 404 if the first user does not follow the second.
     */
    get: operations["getUserFollowing"];
    /**
     * Follow a user
     * @description 201 with the user if the following is new, 200 with a status if it existed.
     */
    put: operations["followAsUser"];
    /**
     * Stop following a user
     * @description The `id` must be yours.
     */
    delete: operations["unfollowAsUser"];
  };
  "/users/{id}/followers/{userId}": {
    /**
     * Get one follower of a user
     * @description 404 if the second user does not follow the first.
     */
    get: operations["getUserFollower"];
  };
  "/me/followers/{userId}": {
    /**
     * Get one of your followers
     * @description 404 if the user does not follow you.
     */
    get: operations["getMyFollower"];
  };
  "/me/followings/{userId}": {
    /**
     * Get one user whom you follow
     * @description 404 if you do not follow the user.
     */
    get: operations["getMyFollowing"];
    /**
     * Follow a user
     * @description 201 with the user if the following is new, 200 with a status if it existed.
     */
    put: operations["follow"];
    /**
     * Stop following a user
     * @description Your feed shows the user's posts no longer.
     */
    delete: operations["unfollow"];
  };
  "/users/{id}/web-profiles": {
    /**
     * List a user's web profiles
     * @description Returns the whole list, even above `limit`: a user has 20 at most.
     */
    get: operations["listUserWebProfiles"];
    /**
     * Replace your web profiles
     * @description Replaces the whole list. A bare array works too.
     */
    put: operations["replaceUserWebProfiles"];
    /**
     * Delete your web profiles
     * @description Deletes all of them. The `id` must be yours.
     */
    delete: operations["deleteUserWebProfiles"];
  };
  "/me/web-profiles": {
    /**
     * List your web profiles
     * @description Returns the whole list, even above `limit`: a user has 20 at most.
     */
    get: operations["listMyWebProfiles"];
    /**
     * Replace your web profiles
     * @description Replaces the whole list. A bare array works too.
     */
    put: operations["replaceMyWebProfiles"];
    /**
     * Delete your web profiles
     * @description Deletes all of them.
     */
    delete: operations["deleteMyWebProfiles"];
  };
  "/me/connections": {
    /**
     * List your connections to other services, newest first
     * @description Profiles at other services that you have connected.
     */
    get: operations["listConnections"];
    /**
     * Connect a profile on another service
     * @description Open `authorize_url` in a browser. After the user's decision the browser returns to `redirect_uri` with `success=true` and one or more connections, or with `success=false` and none. A profile that was connected before keeps its id. The browser must be signed in to Soundpost as this user; otherwise a page names the account and asks to sign in. 422: this deployment does not offer the service.
     */
    post: operations["createConnection"];
  };
  "/me/connections/{id}": {
    /**
     * Get one of your connections
     * @description 404 for other users' connections.
     */
    get: operations["getConnection"];
    /**
     * Change what is posted to a connection
     * @description Omitted fields stay unchanged.
     */
    put: operations["changeConnection"];
    /**
     * Delete a connection
     * @description Nothing is posted there any more.
     */
    delete: operations["deleteConnection"];
  };
  "/me/webhooks": {
    /**
     * List the app's webhooks for you, newest first
     * @description Only webhooks that this app created for you.
     */
    get: operations["listWebhooks"];
    /**
     * Create a webhook
     * @description Events are delivered by the rules of standardwebhooks.com: a POST of a `WebhookEvent` with `webhook-id`, `webhook-timestamp` and `webhook-signature`. Only this reply shows the secret. Without a 2xx within two seconds, or fifteen from then on for an address that takes longer, a delivery is repeated: it is sent ten times in all, over some three days. It may arrive twice. Your own actions cause no events, and a repeated like or follow only one. A webhook belongs to you and the app that created it; your other apps do not see it. It ends with the app's access: when you disconnect the app, change your password, or sign the app out without lasting consent. Each app may have one webhook per address (409) and 20 of yours, all your apps 100 (422). Too many deliveries to one host have to wait, and so do those to slow addresses beyond four of yours at a time.
     */
    post: operations["createWebhook"];
  };
  "/me/events": {
    /**
     * Stream your events
     * @description The events that webhooks deliver, as Server-Sent Events, within two seconds: `event` is the type, `data` the same JSON (`WebhookEvent`). Send `Accept: text/event-stream`. Events are kept for a day from your first stream on: send the `id` of the last one as `Last-Event-ID`, and the stream goes on after it, without loss or repetition. If that is not possible, because events were forgotten or the service was restored from a backup, an event `reset` comes first: read anew what you keep. While nothing happens, a comment comes every five seconds. A stream ends after four minutes: connect again, as `EventSource` does by itself. Eight streams of yours are open at most; one more ends the oldest. It also ends with the token's session, and the next request gets 401. `EventSource` sends no header, so browsers read it with `fetch`.
     */
    get: operations["streamEvents"];
  };
  "/me/webhooks/{id}": {
    /**
     * Get a webhook
     * @description The secret is not shown again.
     */
    get: operations["getWebhook"];
    /**
     * Change a webhook
     * @description Omitted fields stay unchanged.
     */
    put: operations["changeWebhook"];
    /**
     * Delete a webhook
     * @description Deletes the log of its deliveries too.
     */
    delete: operations["deleteWebhook"];
  };
  "/me/webhooks/{id}/secret": {
    /**
     * Rotate a webhook's secret
     * @description The current secret also signs for one more day; older ones end at once.
     */
    post: operations["rotateWebhookSecret"];
  };
  "/me/webhooks/{id}/test": {
    /**
     * Send a test event
     * @description Sends `webhook.test` to this webhook only.
     */
    post: operations["testWebhook"];
  };
  "/me/webhooks/{id}/deliveries": {
    /**
     * List a webhook's deliveries, newest first
     * @description Covers the last 30 days.
     */
    get: operations["listWebhookDeliveries"];
  };
  "/me/webhooks/{id}/deliveries/{deliveryId}/replay": {
    /**
     * Send a delivery again
     * @description Keeps its `webhook-id`. Works for successful deliveries too.
     */
    post: operations["replayWebhookDelivery"];
  };
  "/uploads": {
    /**
     * List your upload sessions, newest first
     * @description `expires_at` tells when a session ends. One without a track is forgotten 30 days later.
     */
    get: operations["listUploads"];
    /**
     * Open an upload session
     * @description Send the parts to the URLs of `/uploads/{id}/parts` and complete the session, or leave both to Uppy by `companion_url`. Then create a track with `upload_id`.
     */
    post: operations["openUpload"];
  };
  "/uploads/{id}": {
    /**
     * Get an upload session
     * @description With the parts that storage has, to resume an upload.
     */
    get: operations["getUpload"];
    /**
     * Abort an upload
     * @description Deletes its parts.
     */
    delete: operations["abortUpload"];
  };
  "/uploads/{id}/parts": {
    /**
     * Get URLs for uploading parts
     * @description Each URL takes exactly one PUT of exactly that part's bytes.
     */
    post: operations["presignUploadParts"];
  };
  "/uploads/{id}/complete": {
    /**
     * Complete an upload
     * @description Send it when all parts are stored. The session becomes `ready`, and a track can be made from it.
     */
    post: operations["completeUpload"];
  };
  "/apps/{id}": {
    /**
     * Get an app
     * @description The part of an app that users see.
     */
    get: operations["getApp"];
  };
  "/me/apps": {
    /**
     * List your apps, newest first
     * @description Apps that you registered. Secrets are not shown again.
     */
    get: operations["listMyApps"];
    /**
     * Register an app
     * @description Needs a paid plan, unless the deployment has switched that off. Only this reply shows the client secret.
     */
    post: operations["registerApp"];
  };
  "/me/apps/{id}/secret": {
    /**
     * Rotate an app's client secret
     * @description The current secret remains valid for seven days; older ones end at once.
     */
    post: operations["rotateAppSecret"];
  };
  "/me/apps/{id}": {
    /**
     * Delete an app
     * @description Ends all its tokens. Tracks that it uploaded stay.
     */
    delete: operations["deleteApp"];
  };
  "/resolve": {
    /**
     * Resolve an address
     * @description Returns the resource exactly as its own address does. In the older dialect it redirects there and keeps credential, format, callback and secret token.
     */
    get: operations["resolve"];
  };
  "/oembed": {
    /**
     * Get the markup that embeds a track, a playlist or a user
     * @description oEmbed, also at the site's address, without a token. `format=js` with a `callback` returns JSONP, `format=xml` XML. A private resource needs its secret token in `url`. Nothing is ever fetched.
     */
    get: operations["getOembed"];
  };
  "/healthz": {
    /**
     * Is the process alive?
     * @description Asks no other part of the service.
     */
    get: operations["checkHealth"];
  };
  "/readyz": {
    /**
     * Can requests be served?
     * @description 503 if database, storage or keys fail.
     */
    get: operations["checkReadiness"];
  };
  "/connect": {
    /**
     * Ask a user to allow an app (older)
     * @description Older behaviour, opened in the user's browser; 410 where the deployment has switched it off. Use `/authorize`. Works at the addresses of the site and the API too, which redirect here. After approval the browser goes to `redirect_uri` with `code`, or with `access_token` in the fragment, and `state`. Replies carry `Deprecation` and `Sunset`.
     */
    get: operations["connect"];
  };
}
export interface webhooks {
  "track.finished": {
    /** Receive `track.finished` */
    post: operations["receiveTrackFinished"];
  };
  "track.failed": {
    /** Receive `track.failed` */
    post: operations["receiveTrackFailed"];
  };
  "comment.created": {
    /** Receive `comment.created` */
    post: operations["receiveCommentCreated"];
  };
  "like.created": {
    /** Receive `like.created` */
    post: operations["receiveLikeCreated"];
  };
  "follow.created": {
    /** Receive `follow.created` */
    post: operations["receiveFollowCreated"];
  };
  "webhook.test": {
    /** Receive `webhook.test` */
    post: operations["receiveWebhookTest"];
  };
}
export interface components {
  schemas: {
    MeUpdate: {
      /** @description The user. */
      user: {
        /** @description Name as shown. */
        username?: string;
        /** @description Plain text. */
        description?: string | null;
        /** @description Null if the user gave none. */
        website?: string | null;
        /** @description Label of the website's link. Null if the user gave none. */
        website_title?: string | null;
      };
    };
    NewTrack: {
      /** @description The track. */
      track: {
        /** @description Id of an upload session with the status `ready`. */
        upload_id: number;
        /** @description At least one visible character. */
        title: string;
        /** @description Default: your username. */
        artist?: string | null;
        /**
         * @description `private` hides it from all but its owner, the people it is shared with, and whoever has its secret token.
         * @enum {string}
         */
        sharing?: "public" | "private";
        /**
         * @description `all`: any page may embed it. `me` and `none`: no other page may.
         * @enum {string}
         */
        embeddable_by?: "all" | "me" | "none";
        /** @description Whether others may stream it. To others: whether they can. */
        streamable?: boolean;
        /** @description Whether the owner lets others download the original. */
        downloadable?: boolean;
        /** @description Whether listeners may comment. */
        commentable?: boolean;
        /** @description `false` hides other users' comments and their count from everybody but you. */
        reveal_comments?: boolean;
        /** @description `false` hides counts, likers and reposters from everybody but you. */
        reveal_stats?: boolean;
        /**
         * @description Limit for listeners without a paid plan.
         * @enum {string|null}
         */
        paywall?: "preview" | "blocked" | null;
        /** @description ISO 3166-1 alpha-2, as a list or comma-separated; null means everywhere. A server that does not learn where its listeners are blocks the track for all but you. */
        available_country_codes?: string[] | null;
        /** @description HTML. Other tags than the allowed ones are dropped. */
        description?: string | null;
        /** @description Null if the owner gave none. */
        genre?: string | null;
        /** @description Separated by blanks; quotes around what holds some: `rock "hip hop" geo:lat=52.5`. */
        tag_list?: string | null;
        /**
         * @description Kind of recording; null if none was given.
         * @enum {string|null}
         */
        track_type?: "original" | "remix" | "live" | "recording" | "spoken" | "podcast" | "demo" | "in progress" | "stem" | "loop" | "sound effect" | "sample" | "other" | null;
        /**
         * @description Rights that the owner gives.
         * @enum {string}
         */
        license?: "no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa";
        /** @description Id of the label's user. */
        label_id?: number | null;
        /** @description Label, as text. Null if the owner gave none. */
        label_name?: string | null;
        /** @description Catalogue number. Null if the owner gave none. */
        release?: string | null;
        /** @description Day of the release; null if unknown. */
        release_day?: number | null;
        /** @description Month of the release, 1 to 12; null if unknown. */
        release_month?: number | null;
        /** @description Year of the release; null if unknown. */
        release_year?: number | null;
        /**
         * Format: date
         * @description Sets year, month and day of the release.
         */
        release_date?: string | null;
        /** @description International recording code. Null if the owner gave none. */
        isrc?: string | null;
        /** @description Rounded to two decimals. */
        bpm?: number | null;
        /** @description Null if the owner gave none. */
        key_signature?: string | null;
        /** @description Address for buying. Null if the owner gave none. */
        purchase_url?: string | null;
        /** @description Label of the link for buying. Null if the owner gave none. */
        purchase_title?: string | null;
        /** @description Address of a video. Null if the owner gave none. */
        video_url?: string | null;
      };
    };
    TrackChanges: {
      /** @description The track. */
      track: {
        /** @description At least one visible character. */
        title?: string;
        /** @description In JSON only; forms are refused. */
        metadata_artist?: string | null;
        /**
         * @description `private` hides it from all but its owner, the people it is shared with, and whoever has its secret token.
         * @enum {string}
         */
        sharing?: "public" | "private";
        /**
         * @description `all`: any page may embed it. `me` and `none`: no other page may.
         * @enum {string}
         */
        embeddable_by?: "all" | "me" | "none";
        /** @description Whether others may stream it. To others: whether they can. */
        streamable?: boolean;
        /** @description Whether the owner lets others download the original. */
        downloadable?: boolean;
        /** @description Whether listeners may comment. */
        commentable?: boolean;
        /** @description `false` hides other users' comments and their count from everybody but you. */
        reveal_comments?: boolean;
        /** @description `false` hides counts, likers and reposters from everybody but you. */
        reveal_stats?: boolean;
        /**
         * @description Limit for listeners without a paid plan.
         * @enum {string|null}
         */
        paywall?: "preview" | "blocked" | null;
        /** @description ISO 3166-1 alpha-2, as a list or comma-separated; null means everywhere. A server that does not learn where its listeners are blocks the track for all but you. */
        available_country_codes?: string[] | null;
        /** @description HTML. Other tags than the allowed ones are dropped. */
        description?: string | null;
        /** @description Null if the owner gave none. */
        genre?: string | null;
        /** @description Separated by blanks; quotes around what holds some: `rock "hip hop" geo:lat=52.5`. */
        tag_list?: string | null;
        /**
         * @description Kind of recording; null if none was given.
         * @enum {string|null}
         */
        track_type?: "original" | "remix" | "live" | "recording" | "spoken" | "podcast" | "demo" | "in progress" | "stem" | "loop" | "sound effect" | "sample" | "other" | null;
        /**
         * @description Rights that the owner gives.
         * @enum {string}
         */
        license?: "no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa";
        /** @description Id of the label's user. */
        label_id?: number | null;
        /** @description Label, as text. Null if the owner gave none. */
        label_name?: string | null;
        /** @description Catalogue number. Null if the owner gave none. */
        release?: string | null;
        /** @description Day of the release; null if unknown. */
        release_day?: number | null;
        /** @description Month of the release, 1 to 12; null if unknown. */
        release_month?: number | null;
        /** @description Year of the release; null if unknown. */
        release_year?: number | null;
        /**
         * Format: date
         * @description Sets year, month and day of the release.
         */
        release_date?: string | null;
        /** @description International recording code. Null if the owner gave none. */
        isrc?: string | null;
        /** @description Rounded to two decimals. */
        bpm?: number | null;
        /** @description Null if the owner gave none. */
        key_signature?: string | null;
        /** @description Address for buying. Null if the owner gave none. */
        purchase_url?: string | null;
        /** @description Label of the link for buying. Null if the owner gave none. */
        purchase_title?: string | null;
        /** @description Address of a video. Null if the owner gave none. */
        video_url?: string | null;
      };
    };
    TrackShares: {
      /** @description The people it is shared with. */
      users: {
        /** @description Id of a user. */
        id: number;
      }[];
      /** @description A message to the people it is shared with; null without one. */
      sharing_note?: string | null;
    };
    NewPlaylist: {
      /** @description The playlist. */
      playlist: {
        /** @description At least one visible character. */
        title: string;
        /**
         * @description `private` hides it from all but its owner, the people it is shared with, and whoever has its secret token.
         * @enum {string}
         */
        sharing?: "public" | "private";
        /**
         * @description `all`: any page may embed it. `me` and `none`: no other page may.
         * @enum {string}
         */
        embeddable_by?: "all" | "me" | "none";
        /** @description HTML. Other tags than the allowed ones are dropped. */
        description?: string | null;
        /** @description Null if the owner gave none. */
        genre?: string | null;
        /** @description Separated by blanks; quotes around what holds some: `rock "hip hop" geo:lat=52.5`. */
        tag_list?: string | null;
        /**
         * @description Rights that the owner gives.
         * @enum {string}
         */
        license?: "no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa";
        /** @description Id of the label's user. */
        label_id?: number | null;
        /** @description Label, as text. Null if the owner gave none. */
        label_name?: string | null;
        /** @description Catalogue number. Null if the owner gave none. */
        release?: string | null;
        /** @description Day of the release; null if unknown. */
        release_day?: number | null;
        /** @description Month of the release, 1 to 12; null if unknown. */
        release_month?: number | null;
        /** @description Year of the release; null if unknown. */
        release_year?: number | null;
        /**
         * Format: date
         * @description Sets year, month and day of the release.
         */
        release_date?: string | null;
        /** @description Address for buying. Null if the owner gave none. */
        purchase_url?: string | null;
        /** @description Label of the link for buying. Null if the owner gave none. */
        purchase_title?: string | null;
        /** @description European article number. Null if the owner gave none. */
        ean?: string | null;
        /**
         * @description Kind of release; null if none was given.
         * @enum {string|null}
         */
        playlist_type?: "ep single" | "album" | "compilation" | "project files" | "archive" | "showcase" | "demo" | "sample pack" | "other" | null;
        /**
         * @description `album` or no type. Ignored with a `playlist_type`.
         * @enum {string}
         */
        set_type?: "album" | "playlist";
        /** @description Objects with a track's `id` or `urn`. A playlist holds each track once, 500 tracks at most. */
        tracks?: {
          /** @description Unique among its kind. Safe as a JSON number. */
          id?: number;
          /** @description The id with its kind. */
          urn?: string;
        }[];
      };
    };
    PlaylistChanges: {
      /** @description The playlist. */
      playlist: {
        /** @description At least one visible character. */
        title?: string;
        /**
         * @description `private` hides it from all but its owner, the people it is shared with, and whoever has its secret token.
         * @enum {string}
         */
        sharing?: "public" | "private";
        /**
         * @description `all`: any page may embed it. `me` and `none`: no other page may.
         * @enum {string}
         */
        embeddable_by?: "all" | "me" | "none";
        /** @description HTML. Other tags than the allowed ones are dropped. */
        description?: string | null;
        /** @description Null if the owner gave none. */
        genre?: string | null;
        /** @description Separated by blanks; quotes around what holds some: `rock "hip hop" geo:lat=52.5`. */
        tag_list?: string | null;
        /**
         * @description Rights that the owner gives.
         * @enum {string}
         */
        license?: "no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa";
        /** @description Id of the label's user. */
        label_id?: number | null;
        /** @description Label, as text. Null if the owner gave none. */
        label_name?: string | null;
        /** @description Catalogue number. Null if the owner gave none. */
        release?: string | null;
        /** @description Day of the release; null if unknown. */
        release_day?: number | null;
        /** @description Month of the release, 1 to 12; null if unknown. */
        release_month?: number | null;
        /** @description Year of the release; null if unknown. */
        release_year?: number | null;
        /**
         * Format: date
         * @description Sets year, month and day of the release.
         */
        release_date?: string | null;
        /** @description Address for buying. Null if the owner gave none. */
        purchase_url?: string | null;
        /** @description Label of the link for buying. Null if the owner gave none. */
        purchase_title?: string | null;
        /** @description European article number. Null if the owner gave none. */
        ean?: string | null;
        /**
         * @description Kind of release; null if none was given.
         * @enum {string|null}
         */
        playlist_type?: "ep single" | "album" | "compilation" | "project files" | "archive" | "showcase" | "demo" | "sample pack" | "other" | null;
        /**
         * @description `album` or no type. Ignored with a `playlist_type`.
         * @enum {string}
         */
        set_type?: "album" | "playlist";
        /** @description Added after the present tracks. */
        tracks?: {
          /** @description Unique among its kind. Safe as a JSON number. */
          id?: number;
          /** @description The id with its kind. */
          urn?: string;
        }[];
      };
    };
    PlaylistTracks: {
      /** @description Objects with a track's `id` or `urn`. A playlist holds each track once, 500 tracks at most. */
      tracks?: {
        /** @description Unique among its kind. Safe as a JSON number. */
        id?: number;
        /** @description The id with its kind. */
        urn?: string;
      }[];
      /** @description The playlist. */
      playlist?: {
        /** @description Objects with a track's `id` or `urn`. A playlist holds each track once, 500 tracks at most. */
        tracks: {
          /** @description Unique among its kind. Safe as a JSON number. */
          id?: number;
          /** @description The id with its kind. */
          urn?: string;
        }[];
      };
    };
    PodcastChanges: {
      /** @description Fields that directories ask for. */
      podcast: {
        /** @description Null means your username. */
        author?: string | null;
        /** @description Null if the owner gave none. */
        owner_name?: string | null;
        /**
         * Format: email
         * @description Directories send a code there to make sure that the podcast is yours. Everybody can read it in the feed.
         */
        owner_email?: string | null;
        /**
         * @description One of Apple's. A set's first podcast fields must name it.
         * @enum {string}
         */
        category?: "Arts" | "Arts > Books" | "Arts > Design" | "Arts > Fashion & Beauty" | "Arts > Food" | "Arts > Performing Arts" | "Arts > Visual Arts" | "Business" | "Business > Careers" | "Business > Entrepreneurship" | "Business > Investing" | "Business > Management" | "Business > Marketing" | "Business > Non-Profit" | "Comedy" | "Comedy > Comedy Interviews" | "Comedy > Improv" | "Comedy > Stand-Up" | "Education" | "Education > Courses" | "Education > How To" | "Education > Language Learning" | "Education > Self-Improvement" | "Fiction" | "Fiction > Comedy Fiction" | "Fiction > Drama" | "Fiction > Science Fiction" | "Government" | "History" | "Health & Fitness" | "Health & Fitness > Alternative Health" | "Health & Fitness > Fitness" | "Health & Fitness > Medicine" | "Health & Fitness > Mental Health" | "Health & Fitness > Nutrition" | "Health & Fitness > Sexuality" | "Kids & Family" | "Kids & Family > Education for Kids" | "Kids & Family > Parenting" | "Kids & Family > Pets & Animals" | "Kids & Family > Stories for Kids" | "Leisure" | "Leisure > Animation & Manga" | "Leisure > Automotive" | "Leisure > Aviation" | "Leisure > Crafts" | "Leisure > Games" | "Leisure > Hobbies" | "Leisure > Home & Garden" | "Leisure > Video Games" | "Music" | "Music > Music Commentary" | "Music > Music History" | "Music > Music Interviews" | "News" | "News > Business News" | "News > Daily News" | "News > Entertainment News" | "News > News Commentary" | "News > Politics" | "News > Sports News" | "News > Tech News" | "Religion & Spirituality" | "Religion & Spirituality > Buddhism" | "Religion & Spirituality > Christianity" | "Religion & Spirituality > Hinduism" | "Religion & Spirituality > Islam" | "Religion & Spirituality > Judaism" | "Religion & Spirituality > Religion" | "Religion & Spirituality > Spirituality" | "Science" | "Science > Astronomy" | "Science > Chemistry" | "Science > Earth Sciences" | "Science > Life Sciences" | "Science > Mathematics" | "Science > Natural Sciences" | "Science > Nature" | "Science > Physics" | "Science > Social Sciences" | "Society & Culture" | "Society & Culture > Documentary" | "Society & Culture > Personal Journals" | "Society & Culture > Philosophy" | "Society & Culture > Places & Travel" | "Society & Culture > Relationships" | "Sports" | "Sports > Baseball" | "Sports > Basketball" | "Sports > Cricket" | "Sports > Fantasy Sports" | "Sports > Football" | "Sports > Golf" | "Sports > Hockey" | "Sports > Rugby" | "Sports > Running" | "Sports > Soccer" | "Sports > Swimming" | "Sports > Tennis" | "Sports > Volleyball" | "Sports > Wilderness" | "Sports > Wrestling" | "Technology" | "True Crime" | "TV & Film" | "TV & Film > After Shows" | "TV & Film > Film History" | "TV & Film > Film Interviews" | "TV & Film > Film Reviews" | "TV & Film > TV Reviews";
        /** @description BCP 47. `en` unless you name another. */
        language?: string;
        /** @description Strong language or adult content, in any episode. */
        explicit?: boolean;
        /**
         * @description `episodic`: newest first. `serial`: oldest first, because the episodes tell one story.
         * @enum {string}
         */
        podcast_type?: "episodic" | "serial";
        /** @description Asks other hosts not to import the podcast. `true` unless you say otherwise. */
        locked?: boolean;
        /**
         * Format: uri
         * @description The feed's address at another host. Podcast programs are redirected there until you clear it.
         */
        new_feed_url?: string | null;
        /**
         * Format: uuid
         * @description The `podcast:guid` of a podcast that moves here, so that directories know it. Null means the one that the feed was given here.
         */
        guid?: string | null;
      };
    };
    EpisodeChanges: {
      /** @description Fields that only feeds show. */
      episode: {
        /** @description Null means as the podcast. */
        explicit?: boolean | null;
        /** @description Null if the owner gave none. */
        season?: number | null;
        /** @description Number of the episode; null if the owner gave none. */
        number?: number | null;
        /**
         * Format: uri
         * @description A file: VTT, SRT, JSON, text or HTML.
         */
        transcript_url?: string | null;
      };
    };
    NewComment: {
      /** @description The comment. */
      comment: {
        /** @description HTML. Other tags than the allowed ones are dropped. */
        body: string;
        /** @description Milliseconds from the start of the track. Omitted or null: the comment is not timed. */
        timestamp?: number | null;
      };
    };
    CommentChanges: {
      /** @description The comment. */
      comment: {
        /** @description HTML. Other tags than the allowed ones are dropped. */
        body?: string;
        /** @description Milliseconds from the start of the track. Omitted or null: the comment is not timed. */
        timestamp?: number | null;
      };
    };
    WebProfiles: {
      /** @description All of them, in the order to show. Replaces the present list. */
      web_profiles: {
        /** @description Complete address. */
        url: string;
        /** @description Default: derived from the address; `personal` if that is unknown. */
        service?: string | null;
        /** @description Label of the link. */
        title?: string | null;
        /** @description The user's name at the service. */
        username?: string | null;
      }[];
    };
    NewConnection: {
      /**
       * @description The other service.
       * @enum {string}
       */
      service: "facebook_profile" | "facebook_page" | "twitter" | "myspace";
      /** @description The browser returns here with `success` added: https, an app's own scheme, or http on a loopback address. */
      redirect_uri: string;
      /** @description Whether your favorites are posted there. */
      post_favorite?: boolean;
      /** @description Whether your new public tracks are posted there. */
      post_publish?: boolean;
    };
    ConnectionChanges: {
      /** @description Whether your favorites are posted there. */
      post_favorite?: boolean;
      /** @description Whether your new public tracks are posted there. */
      post_publish?: boolean;
    };
    NewWebhook: {
      /** @description https, on a public host. */
      url: string;
      /** @description Names of the events to send. */
      events: ("track.finished" | "track.failed" | "comment.created" | "like.created" | "follow.created")[];
      /** @description `false` stops events and drops pending deliveries. */
      enabled?: boolean;
    };
    WebhookChanges: {
      /** @description https, on a public host. */
      url?: string;
      /** @description Names of the events to send. */
      events?: ("track.finished" | "track.failed" | "comment.created" | "like.created" | "follow.created")[];
      /** @description `false` stops events and drops pending deliveries. */
      enabled?: boolean;
    };
    NewUpload: {
      /** @description Name of the file, for people. */
      filename: string;
      /** @description Bytes, 4 GiB at most. Storage accepts exactly this size. */
      size: number;
      /** @description Media type, `audio/…`. The content decides later. */
      type: string;
      /** @description Milliseconds since 1970, for recognizing the file on resuming. */
      last_modified?: number | null;
    };
    PartNumbers: {
      /** @description Parts that get an address, from 1. */
      numbers: number[];
    };
    CompletedParts: {
      /** @description All parts, in order. */
      parts: {
        /** @description Number of the part, from 1. */
        number: number;
        /** @description Storage's ETag of the part, quoted or not. */
        etag: string;
      }[];
    };
    CompanionFormFile: {
      /**
       * Format: binary
       * @description The audio.
       */
      file: string;
    };
    CompanionCreate: {
      /** @description Name of the file, for people. */
      filename?: string;
      /** @description Ignored: the session knows it. */
      type?: string | null;
    };
    CompanionComplete: {
      /** @description All parts, in order. */
      parts: {
        /** @description From 1. */
        PartNumber: number;
        /** @description Storage's ETag of the part. */
        ETag: string;
      }[];
    };
    NewApp: {
      /** @description Name that people see. */
      name: string;
      /** @description The app's own site. */
      external_url?: string | null;
      /** @description https, an app's own scheme, or http on a loopback address. On `127.0.0.1` and `[::1]` any port is accepted. An own scheme is best a domain name in reverse order, such as `com.example.app`; those that other programs act on are refused. */
      redirect_uris: string[];
    };
    WebhookTrack: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /** @description The id with its kind. */
      urn: string;
      /**
       * Format: uri
       * @description Address in the API.
       */
      uri: string;
      /**
       * Format: uri
       * @description Page on the site.
       */
      permalink_url: string;
      /** @description At least one visible character. */
      title: string;
      /**
       * @description `private` hides it from all but its owner, the people it is shared with, and whoever has its secret token.
       * @enum {string}
       */
      sharing: "public" | "private";
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "track";
      /**
       * @description `processing` until it is encoded. A `failed` track can be encoded again, unless the file was the cause.
       * @enum {string}
       */
      state: "processing" | "failed" | "finished";
      /** @description Milliseconds; null until it is known. */
      duration: number | null;
    };
    WebhookComment: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "comment";
      /** @description The id with its kind. */
      urn: string;
      /**
       * Format: uri
       * @description Address in the API.
       */
      uri: string;
      /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
      created_at: string;
      /** @description HTML. */
      body: string;
      /** @description Milliseconds from the start of the track; null if the comment is not timed. */
      timestamp: number | null;
    };
    MiniUser: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "user";
      /** @description The id with its kind. */
      urn: string;
      /** @description Last part of the page's address. */
      permalink: string;
      /** @description Name as shown. */
      username: string;
      /** @description Last change, UTC. */
      last_modified: string;
      /**
       * Format: uri
       * @description Address in the API.
       */
      uri: string;
      /**
       * Format: uri
       * @description Page on the site.
       */
      permalink_url: string;
      /**
       * Format: uri
       * @description JPEG. Replace `large` with another format's name for another size.
       */
      avatar_url: string;
    };
    WebhookPlaylist: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /** @description The id with its kind. */
      urn: string;
      /**
       * Format: uri
       * @description Address in the API.
       */
      uri: string;
      /**
       * Format: uri
       * @description Page on the site.
       */
      permalink_url: string;
      /** @description At least one visible character. */
      title: string;
      /**
       * @description `private` hides it from all but its owner, the people it is shared with, and whoever has its secret token.
       * @enum {string}
       */
      sharing: "public" | "private";
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "playlist";
    };
    Error: {
      /** @description The status. */
      code: number;
      /** @description `<status> - <reason>` */
      message: string;
      /** @description Address that explains this error, and what to do about it. */
      link: string;
      /** @description The same as `message`. */
      status: string;
      /** @description One entry a cause. */
      errors: ({
        /** @description One cause, with the field's name. */
        error_message: string;
      } & {
        [key: string]: unknown;
      })[];
      /** @description Null, except in OAuth's errors: there its code. */
      error: null;
    };
    Users: components["schemas"]["User"][] | components["schemas"]["UserPage"];
    User: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "user";
      /** @description The id with its kind. */
      urn: string;
      /** @description Last part of the page's address. */
      permalink: string;
      /** @description Name as shown. */
      username: string;
      /** @description Last change, UTC. */
      last_modified: string;
      /**
       * Format: uri
       * @description Address in the API.
       */
      uri: string;
      /**
       * Format: uri
       * @description Page on the site.
       */
      permalink_url: string;
      /**
       * Format: uri
       * @description JPEG. Replace `large` with another format's name for another size.
       */
      avatar_url: string;
      /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
      created_at: string;
      /** @description ISO 3166-1 alpha-2. Null if the user gave none. */
      country: string | null;
      /** @description First and last name. Null if the user gave none. */
      full_name: string | null;
      /** @description The first word of the full name. */
      first_name: string | null;
      /** @description The rest of the full name. */
      last_name: string | null;
      /** @description Null if the user gave none. */
      city: string | null;
      /** @description Plain text, not HTML. Null if the user gave none. */
      description: string | null;
      /** @description Null if the user gave none. */
      discogs_name: string | null;
      /** @description Null if the user gave none. */
      myspace_name: string | null;
      /** @description Null if the user gave none. */
      website: string | null;
      /** @description Label of the website's link. Null if the user gave none. */
      website_title: string | null;
      /** @description Whether an app used the user's token in the last 5 minutes. */
      online: boolean;
      /** @description Public tracks. Failed ones count for their owner alone. */
      track_count: number;
      /** @description Public playlists. */
      playlist_count: number;
      /** @description Users who follow this one. */
      followers_count: number;
      /** @description Users whom this one follows. */
      followings_count: number;
      /** @description Tracks that the user likes, as far as you see them. */
      public_favorites_count: number;
      /** @description The same as `public_favorites_count`. */
      likes_count: number;
      /** @description Tracks and playlists that the user reposted, as far as you see them. */
      reposts_count: number;
      /** @description Comments that the user wrote, as far as you see them. */
      comments_count: number;
      /** @description Null except for your own, at `/me`. */
      plan: string | null;
      /** @description Null except for your own, at `/me`. */
      subscriptions: components["schemas"]["Subscription"][] | null;
    };
    Subscription: {
      /** @description Plan that was subscribed to. */
      product: {
        /** @description Name of the plan. */
        id: string;
        /** @description Name of the plan, for people. */
        name: string;
      };
      /** @description Whether it renews by itself. */
      recurring: boolean;
    };
    UserPage: {
      /** @description The page's items. */
      collection: components["schemas"]["User"][];
      /**
       * Format: uri
       * @description The next page; absent on the last one.
       */
      next_href?: string;
    };
    Me: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "user";
      /** @description The id with its kind. */
      urn: string;
      /** @description Last part of the page's address. */
      permalink: string;
      /** @description Name as shown. */
      username: string;
      /** @description Last change, UTC. */
      last_modified: string;
      /**
       * Format: uri
       * @description Address in the API.
       */
      uri: string;
      /**
       * Format: uri
       * @description Page on the site.
       */
      permalink_url: string;
      /**
       * Format: uri
       * @description JPEG. Replace `large` with another format's name for another size.
       */
      avatar_url: string;
      /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
      created_at: string;
      /** @description ISO 3166-1 alpha-2. Null if the user gave none. */
      country: string | null;
      /** @description First and last name. Null if the user gave none. */
      full_name: string | null;
      /** @description The first word of the full name. */
      first_name: string | null;
      /** @description The rest of the full name. */
      last_name: string | null;
      /** @description Null if the user gave none. */
      city: string | null;
      /** @description Plain text, not HTML. Null if the user gave none. */
      description: string | null;
      /** @description Null if the user gave none. */
      discogs_name: string | null;
      /** @description Null if the user gave none. */
      myspace_name: string | null;
      /** @description Null if the user gave none. */
      website: string | null;
      /** @description Label of the website's link. Null if the user gave none. */
      website_title: string | null;
      /** @description Whether an app used the user's token in the last 5 minutes. */
      online: boolean;
      /** @description Public tracks. Failed ones count for their owner alone. */
      track_count: number;
      /** @description Public playlists. */
      playlist_count: number;
      /** @description Users who follow this one. */
      followers_count: number;
      /** @description Users whom this one follows. */
      followings_count: number;
      /** @description Tracks that the user likes, as far as you see them. */
      public_favorites_count: number;
      /** @description The same as `public_favorites_count`. */
      likes_count: number;
      /** @description Tracks and playlists that the user reposted, as far as you see them. */
      reposts_count: number;
      /** @description Comments that the user wrote, as far as you see them. */
      comments_count: number;
      /** @description Subscription plan: `Free`, `Artist` or `Artist Pro`. */
      plan: string;
      /** @description Your plan. */
      subscriptions: components["schemas"]["Subscription"][];
      /** @description Always null: the service stores none. */
      locale: string | null;
      /** @description Your limit of uploads. */
      quota: components["schemas"]["Quota"];
      /** @description Null if there is no limit. */
      upload_seconds_left: number | null;
      /** @description Your private tracks. */
      private_tracks_count: number;
      /** @description Your private playlists. */
      private_playlists_count: number;
      /** @description Whether the address of mail was confirmed. */
      primary_email_confirmed: boolean;
    };
    Quota: {
      /** @description Whether your seconds, bytes and tracks all have no limit. */
      unlimited_upload_quota: boolean;
      /** @description Includes your private tracks. */
      upload_seconds_used: number;
      /** @description Null if there is no limit. */
      upload_seconds_left: number | null;
      /** @description Bytes of your files as they were uploaded, with uploads under way. */
      bytes_used: number;
      /** @description Null if there is no limit. */
      bytes_left: number | null;
      /** @description Your tracks, with uploads under way. */
      tracks_used: number;
      /** @description Null if there is no limit. */
      tracks_left: number | null;
    };
    UserInfo: {
      /** @description `u:` and the user's id; `c:` and the client id for an app's own token. */
      sub: string;
      /** @description The full name, or else the username. */
      name: string;
      /** @description The username. */
      preferred_username: string;
      /**
       * Format: uri
       * @description The user's page.
       */
      profile: string;
      /**
       * Format: uri
       * @description The avatar.
       */
      picture: string;
    };
    Tracks: components["schemas"]["Track"][] | {
      /** @description The page's items. */
      collection: components["schemas"]["Track"][];
      /**
       * Format: uri
       * @description The next page; absent on the last one.
       */
      next_href?: string;
    };
    Track: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "track";
      /** @description The id with its kind. */
      urn: string;
      /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
      created_at: string;
      /** @description Last change, UTC. */
      last_modified: string;
      /** @description The user's id; the owner's in tracks and playlists. */
      user_id: number;
      /** @description The user. */
      user: components["schemas"]["MiniUser"];
      /** @description At least one visible character. */
      title: string;
      /** @description Last part of the page's address; it never changes. */
      permalink: string;
      /**
       * Format: uri
       * @description Page on the site.
       */
      permalink_url: string;
      /**
       * Format: uri
       * @description Address in the API.
       */
      uri: string;
      /**
       * @description `private` hides it from all but its owner, the people it is shared with, and whoever has its secret token.
       * @enum {string}
       */
      sharing: "public" | "private";
      /**
       * @description `all`: any page may embed it. `me` and `none`: no other page may.
       * @enum {string}
       */
      embeddable_by: "all" | "me" | "none";
      /** @description Address for buying. Null if the owner gave none. */
      purchase_url: string | null;
      /** @description Label of the link for buying. Null if the owner gave none. */
      purchase_title: string | null;
      /** @description JPEG. Replace `large` with another format's name for another size. */
      artwork_url: string | null;
      /** @description HTML. Null if the owner gave none. */
      description: string | null;
      /** @description The label's account; null without one. */
      label: components["schemas"]["MiniUser"] | null;
      /** @description The label's user; null without one. */
      label_id: number | null;
      /** @description Label, as text. Null if the owner gave none. */
      label_name: string | null;
      /** @description Milliseconds of decoded audio; 0 until it is known. */
      duration: number;
      /** @description Measured by EBU R128; null until it is known. */
      loudness: components["schemas"]["Loudness"] | null;
      /** @description Null if the owner gave none. */
      genre: string | null;
      /** @description Separated by blanks; a tag with blanks stands in double quotes. */
      tag_list: string;
      /** @description Catalogue number. Null if the owner gave none. */
      release: string | null;
      /** @description Day of the release; null if unknown. */
      release_day: number | null;
      /** @description Month of the release, 1 to 12; null if unknown. */
      release_month: number | null;
      /** @description Year of the release; null if unknown. */
      release_year: number | null;
      /** @description Whether others may stream it. To others: whether they can. */
      streamable: boolean;
      /** @description Whether the owner lets others download the original. */
      downloadable: boolean;
      /**
       * @description `processing` until it is encoded. A `failed` track can be encoded again, unless the file was the cause.
       * @enum {string}
       */
      state: "processing" | "failed" | "finished";
      /**
       * @description Rights that the owner gives.
       * @enum {string}
       */
      license: "no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa";
      /**
       * @description Kind of recording; null if none was given.
       * @enum {string|null}
       */
      track_type: "original" | "remix" | "live" | "recording" | "spoken" | "podcast" | "demo" | "in progress" | "stem" | "loop" | "sound effect" | "sample" | "other" | null;
      /** @description PNG, 1800 by 280 pixels; the same path with .json holds the samples. Null until finished. */
      waveform_url: string | null;
      /**
       * Format: uri
       * @description The original file. Absent unless you may download it.
       */
      download_url?: string;
      /**
       * Format: uri
       * @description Replies with the links to its streams. Absent if access is `blocked`.
       */
      stream_url?: string;
      /** @description Address of a video. Null if the owner gave none. */
      video_url: string | null;
      /** @description Beats per minute; null if unknown. */
      bpm: number | null;
      /** @description Whether listeners may comment. */
      commentable: boolean;
      /** @description `false` hides other users' comments and their count from all but the owner. */
      reveal_comments: boolean;
      /** @description `false` hides counts, likers and reposters from all but the owner. */
      reveal_stats: boolean;
      /** @description International recording code. Null if the owner gave none. */
      isrc: string | null;
      /** @description Null if the owner gave none. */
      key_signature: string | null;
      /** @description Null if the owner hides comments. */
      comment_count: number | null;
      /** @description Null if the owner hides counts. */
      download_count: number | null;
      /** @description Null if the owner hides counts. */
      playback_count: number | null;
      /** @description Null if the owner hides counts. */
      favoritings_count: number | null;
      /** @description Null if the owner hides counts. */
      reposts_count: number | null;
      /** @description Number of your plays; null without a user's token. */
      user_playback_count: number | null;
      /** @description Detected from the content; null until then. */
      original_format: string | null;
      /** @description Bytes. */
      original_content_size: number;
      /**
       * Format: uri
       * @description List of the track's attachments.
       */
      attachments_uri: string;
      /** @description The app that uploaded it; absent if none did. */
      created_with?: components["schemas"]["MiniApp"];
      /** @description Artist to show; the uploader's username unless another was given. */
      metadata_artist: string;
      /** @description With a user's token only. */
      user_favorite?: boolean;
      /**
       * @description The part that you may hear: all of it, 30 seconds, or nothing.
       * @enum {string}
       */
      access: "playable" | "preview" | "blocked";
      /** @description Countries where the track plays, as ISO 3166-1 alpha-2; null means everywhere. */
      available_country_codes: string[] | null;
      /** @description Shown to the owner only. */
      secret_token?: string;
      /**
       * Format: uri
       * @description Shown to the owner only.
       */
      secret_uri?: string;
      /**
       * @description Shown to the owner only.
       * @enum {string|null}
       */
      paywall?: "preview" | "blocked" | null;
      /** @description Shown to the owner only. */
      encoding?: components["schemas"]["Encoding"];
      /** @description Shown to the owner only, while an operator keeps the track down. It is `private` and `blocked` meanwhile, and nobody else sees it. */
      takedown?: components["schemas"]["Takedown"];
    };
    Loudness: {
      /** @description LUFS. Null if the audio is silent or too short to measure. */
      integrated: number | null;
      /** @description LU. */
      range: number | null;
      /** @description dBTP. */
      true_peak: number | null;
    };
    MiniApp: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "app";
      /** @description Name that people see. */
      name: string;
      /**
       * Format: uri
       * @description Address in the API.
       */
      uri: string;
      /**
       * Format: uri
       * @description Page on the site.
       */
      permalink_url: string;
      /** @description The app's own site; null without one. */
      external_url: string | null;
    };
    Encoding: {
      /** @description 1 if the track is finished. */
      progress: number;
      /** @description HLS segments that can be played. */
      segments_ready: number;
      /** @description Why the last attempt failed; null if it did not. */
      reason: {
        /** @description Stable name of the cause. */
        code: string;
        /** @description The cause in words. */
        message: string;
      } | null;
      /** @description Flaws in the file of a playable track: `decode_errors`, `shorter_than_declared`, `longer_than_declared`, `clipped`. */
      warnings: {
        /** @description Stable name of the cause. */
        code: string;
        /** @description The cause in words. */
        message: string;
      }[];
      /** @description Encodes that were begun. */
      attempts: number;
      /** @description UTC; null until then. */
      started_at: string | null;
      /** @description UTC; null until then. */
      finished_at: string | null;
    };
    Takedown: {
      /** @description The operator's words. */
      reason: string;
      /** @description When it was taken down. UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
      created_at: string;
    };
    Status: {
      /** @description `<status> - <reason>` */
      status: string;
    };
    Streams: {
      /**
       * Format: uri
       * @description HLS, AAC at up to 160 kbit/s. It expires: ask anew for each play.
       */
      hls_aac_160_url?: string;
      /**
       * Format: uri
       * @description HLS, AAC at 96 kbit/s.
       */
      hls_aac_96_url?: string;
      /**
       * Format: uri
       * @description HLS, MP3 at 128 kbit/s, for players without AAC.
       */
      hls_mp3_128_url?: string;
      /**
       * Format: uri
       * @description One MP3 file at 128 kbit/s.
       */
      http_mp3_128_url?: string;
      /**
       * Format: uri
       * @description The first 30 seconds as MP3.
       */
      preview_mp3_128_url?: string;
    };
    Redirect: {
      /** @description `<status> - <reason>` */
      status: string;
      /**
       * Format: uri
       * @description The address to go to.
       */
      location: string;
    };
    Attachments: unknown[] | {
      /** @description The page's items. */
      collection: unknown[];
      /**
       * Format: uri
       * @description The next page; absent on the last one.
       */
      next_href?: string;
    };
    SecretToken: {
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "secret-token";
      /** @description The secret that opens it. */
      token: string;
      /**
       * Format: uri
       * @description Address of the token in the API.
       */
      uri: string;
      /**
       * Format: uri
       * @description URI of the track or playlist that the token opens.
       */
      resource_uri: string;
    };
    SharedTo: {
      /** @description The people it is shared with. */
      users: components["schemas"]["MiniUser"][];
      /** @description A message to the people it is shared with; null without one. */
      sharing_note: string | null;
    };
    Playlists: components["schemas"]["Playlist"][] | {
      /** @description The page's items. */
      collection: components["schemas"]["Playlist"][];
      /**
       * Format: uri
       * @description The next page; absent on the last one.
       */
      next_href?: string;
    };
    Playlist: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "playlist";
      /** @description The id with its kind. */
      urn: string;
      /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
      created_at: string;
      /** @description Last change, UTC. */
      last_modified: string;
      /** @description The user's id; the owner's in tracks and playlists. */
      user_id: number;
      /** @description The user's URN. */
      user_urn: string;
      /** @description The user. */
      user: components["schemas"]["MiniUser"];
      /** @description At least one visible character. */
      title: string;
      /** @description Last part of the page's address. */
      permalink: string;
      /**
       * Format: uri
       * @description Page on the site.
       */
      permalink_url: string;
      /**
       * Format: uri
       * @description Address in the API.
       */
      uri: string;
      /**
       * Format: uri
       * @description List of the playlist's tracks, page by page.
       */
      tracks_uri: string;
      /**
       * @description `private` hides it from all but its owner, the people it is shared with, and whoever has its secret token.
       * @enum {string}
       */
      sharing: "public" | "private";
      /**
       * @description `all`: any page may embed it. `me` and `none`: no other page may.
       * @enum {string}
       */
      embeddable_by: "all" | "me" | "none";
      /** @description Address for buying. Null if the owner gave none. */
      purchase_url: string | null;
      /** @description Label of the link for buying. Null if the owner gave none. */
      purchase_title: string | null;
      /** @description JPEG. Replace `large` with another format's name for another size. */
      artwork_url: string | null;
      /** @description HTML. Null if the owner gave none. */
      description: string | null;
      /** @description The label's account; null without one. */
      label: components["schemas"]["MiniUser"] | null;
      /** @description The label's user; null without one. */
      label_id: number | null;
      /** @description Label, as text. Null if the owner gave none. */
      label_name: string | null;
      /** @description Milliseconds of all its tracks. */
      duration: number;
      /** @description Of the tracks that you can see: their mean energy, weighted by duration, and their highest peak. `range` is null, because ranges do not add up. Null until a track's is known. */
      loudness: components["schemas"]["Loudness"] | null;
      /** @description Null if the owner gave none. */
      genre: string | null;
      /** @description Separated by blanks; a tag with blanks stands in double quotes. */
      tag_list: string;
      /** @description The same as `tag_list`; null if there are none. */
      tags: string | null;
      /** @description Catalogue number. Null if the owner gave none. */
      release: string | null;
      /** @description Day of the release; null if unknown. */
      release_day: number | null;
      /** @description Month of the release, 1 to 12; null if unknown. */
      release_month: number | null;
      /** @description Year of the release; null if unknown. */
      release_year: number | null;
      /**
       * @description Rights that the owner gives.
       * @enum {string}
       */
      license: "no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa";
      /** @description Counts the tracks that you can see. */
      track_count: number;
      /** @description Null if the tracks differ or there are none. */
      streamable: boolean | null;
      /** @description Null if the tracks differ or there are none. */
      downloadable: boolean | null;
      /** @description European article number. Null if the owner gave none. */
      ean: string | null;
      /**
       * @description Kind of release; null if none was given.
       * @enum {string|null}
       */
      playlist_type: "ep single" | "album" | "compilation" | "project files" | "archive" | "showcase" | "demo" | "sample pack" | "other" | null;
      /**
       * @description The same as `playlist_type`.
       * @enum {string|null}
       */
      type: "ep single" | "album" | "compilation" | "project files" | "archive" | "showcase" | "demo" | "sample pack" | "other" | null;
      /** @description Number of likes. */
      likes_count: number;
      /** @description Number of reposts. */
      reposts_count: number;
      /** @description Shown to the owner only. */
      secret_token?: string;
      /**
       * Format: uri
       * @description Shown to the owner only.
       */
      secret_uri?: string;
      /** @description Beyond 4 MiB of descriptions, tracks appear by id only; `tracks_uri` has them complete. */
      tracks?: (components["schemas"]["Track"] | components["schemas"]["TrackReference"])[];
    };
    TrackReference: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
    };
    Podcast: {
      /** @description Shown below the title; null means the owner's username. */
      author: string | null;
      /** @description Null if the owner gave none. */
      owner_name: string | null;
      /** @description Everybody can read it in the feed. Null if the owner gave none. */
      owner_email: string | null;
      /** @description One of Apple's; `>` stands before an inner one. */
      category: string;
      /** @description BCP 47. */
      language: string;
      /** @description Strong language or adult content. */
      explicit: boolean;
      /**
       * @description `episodic`: newest first. `serial`: oldest first.
       * @enum {string}
       */
      podcast_type: "episodic" | "serial";
      /** @description Asks other hosts not to import the podcast. Its feed says so once it has an `owner_email`. */
      locked: boolean;
      /** @description Where podcast programs are redirected; null while the feed stays here. */
      new_feed_url: string | null;
      /** @description The feed's `podcast:guid`. It stays, whatever becomes of the address. */
      guid: string;
      /** @description Address of the RSS feed. A private playlist's holds its secret. */
      feed_url: string;
    };
    Episode: {
      /** @description Strong language or adult content; null means as the podcast. */
      explicit: boolean | null;
      /** @description Null if the owner gave none. */
      season: number | null;
      /** @description Number of the episode; null if the owner gave none. */
      number: number | null;
      /** @description Null if the owner gave none. */
      transcript_url: string | null;
      /** @description Read from the description; empty if it holds none. */
      chapters: components["schemas"]["Chapter"][];
    };
    Chapter: {
      /** @description Milliseconds from the beginning. */
      start: number;
      /** @description Title of the chapter that begins there. */
      title: string;
    };
    TrackIds: number[] | {
      /** @description The page's items. */
      collection: number[];
      /**
       * Format: uri
       * @description The next page; absent on the last one.
       */
      next_href?: string;
    };
    Comment: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "comment";
      /** @description The id with its kind. */
      urn: string;
      /**
       * Format: uri
       * @description Address in the API.
       */
      uri: string;
      /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
      created_at: string;
      /** @description HTML. */
      body: string;
      /** @description Milliseconds from the start of the track; null if the comment is not timed. */
      timestamp: number | null;
      /** @description The user's id; the owner's in tracks and playlists. */
      user_id: number;
      /** @description The user's URN. */
      user_urn: string;
      /** @description The user. */
      user: components["schemas"]["CommentUser"];
      /** @description The track. */
      track_id: number;
      /** @description The track's URN. */
      track_urn: string;
    };
    CommentUser: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "user";
      /** @description The id with its kind. */
      urn: string;
      /** @description Last part of the page's address. */
      permalink: string;
      /** @description Name as shown. */
      username: string;
      /** @description Last change, UTC. */
      last_modified: string;
      /**
       * Format: uri
       * @description Address in the API.
       */
      uri: string;
      /**
       * Format: uri
       * @description Page on the site.
       */
      permalink_url: string;
      /**
       * Format: uri
       * @description JPEG. Replace `large` with another format's name for another size.
       */
      avatar_url: string;
      /** @description Users who follow this one. */
      followers_count: number;
      /** @description Users whom this one follows. */
      followings_count: number;
      /** @description Tracks and playlists that the user reposted. */
      reposts_count: number;
    };
    Comments: components["schemas"]["Comment"][] | {
      /** @description The page's items. */
      collection: components["schemas"]["Comment"][];
      /**
       * Format: uri
       * @description The next page; absent on the last one.
       */
      next_href?: string;
    };
    Feed: {
      /** @description The page's items. */
      collection: components["schemas"]["FeedItem"][];
      /**
       * Format: uri
       * @description The next page; absent on the last one.
       */
      next_href?: string;
      /**
       * Format: uri
       * @description Later returns every newer item, each once.
       */
      future_href: string;
    };
    FeedItem: {
      /**
       * @description Tells entries apart.
       * @enum {string}
       */
      type: "track" | "track:repost" | "playlist" | "playlist:repost";
      /** @description Time of the first publication, or of the repost. */
      created_at: string;
      /** @description Comma-separated: `affiliated` (by somebody you follow), `own` (a repost of your track or playlist). */
      tags: string | null;
      /** @description The track, or the playlist without its tracks. */
      origin: components["schemas"]["Track"] | components["schemas"]["Playlist"];
      /** @description URN of the reposter; only on reposts. */
      reposter?: string;
      /** @description The user of `reposter`. */
      reposter_user?: components["schemas"]["MiniUser"];
    };
    TrackFeed: {
      /** @description The page's items. */
      collection: components["schemas"]["FeedTrack"][];
      /**
       * Format: uri
       * @description The next page; absent on the last one.
       */
      next_href?: string;
      /**
       * Format: uri
       * @description Later returns every newer item, each once.
       */
      future_href: string;
    };
    FeedTrack: {
      /**
       * @description Tells entries apart.
       * @enum {string}
       */
      type: "track" | "track:repost";
      /** @description Time of the first publication, or of the repost. */
      created_at: string;
      /** @description Comma-separated: `affiliated` (by somebody you follow), `own` (a repost of your track or playlist). */
      tags: string | null;
      /** @description The thing it is about. */
      origin: components["schemas"]["Track"];
      /** @description URN of the reposter; only on reposts. */
      reposter?: string;
      /** @description The user of `reposter`. */
      reposter_user?: components["schemas"]["MiniUser"];
    };
    Activities: {
      /** @description The page's items. */
      collection: components["schemas"]["Activity"][];
      /**
       * Format: uri
       * @description The next page; absent on the last one.
       */
      next_href?: string;
      /**
       * Format: uri
       * @description Later returns every newer item, each once.
       */
      future_href: string;
    };
    Activity: {
      /**
       * @description Tells entries apart.
       * @constant
       */
      type: "track";
      /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
      created_at: string;
      /** @description Comma-separated: `own` (on your track), `affiliated` (by somebody you follow), `exclusive` (shared with 10 people or fewer), `first` (the first track that a person you do not follow shares with you), `conversation` (a reply to your comment). */
      tags: string | null;
      /** @description The thing it is about. */
      origin: components["schemas"]["Track"];
    } | {
      /**
       * @description Tells entries apart.
       * @constant
       */
      type: "track-sharing";
      /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
      created_at: string;
      /** @description Comma-separated: `own` (on your track), `affiliated` (by somebody you follow), `exclusive` (shared with 10 people or fewer), `first` (the first track that a person you do not follow shares with you), `conversation` (a reply to your comment). */
      tags: string | null;
      /** @description The thing it is about. */
      origin: {
        /** @description Unique among its kind. Safe as a JSON number. */
        id: number;
        /**
         * @description Tells representations apart.
         * @constant
         */
        kind: "track";
        /** @description The id with its kind. */
        urn: string;
        /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
        created_at: string;
        /** @description Last change, UTC. */
        last_modified: string;
        /** @description The user's id; the owner's in tracks and playlists. */
        user_id: number;
        /** @description The user. */
        user: components["schemas"]["MiniUser"];
        /** @description At least one visible character. */
        title: string;
        /** @description Last part of the page's address; it never changes. */
        permalink: string;
        /**
         * Format: uri
         * @description Page on the site.
         */
        permalink_url: string;
        /**
         * Format: uri
         * @description Address in the API.
         */
        uri: string;
        /**
         * @description `private` hides it from all but its owner, the people it is shared with, and whoever has its secret token.
         * @enum {string}
         */
        sharing: "public" | "private";
        /**
         * @description `all`: any page may embed it. `me` and `none`: no other page may.
         * @enum {string}
         */
        embeddable_by: "all" | "me" | "none";
        /** @description Address for buying. Null if the owner gave none. */
        purchase_url: string | null;
        /** @description Label of the link for buying. Null if the owner gave none. */
        purchase_title: string | null;
        /** @description JPEG. Replace `large` with another format's name for another size. */
        artwork_url: string | null;
        /** @description HTML. Null if the owner gave none. */
        description: string | null;
        /** @description The label's account; null without one. */
        label: components["schemas"]["MiniUser"] | null;
        /** @description The label's user; null without one. */
        label_id: number | null;
        /** @description Label, as text. Null if the owner gave none. */
        label_name: string | null;
        /** @description Milliseconds of decoded audio; 0 until it is known. */
        duration: number;
        /** @description Measured by EBU R128; null until it is known. */
        loudness: components["schemas"]["Loudness"] | null;
        /** @description Null if the owner gave none. */
        genre: string | null;
        /** @description Separated by blanks; a tag with blanks stands in double quotes. */
        tag_list: string;
        /** @description Catalogue number. Null if the owner gave none. */
        release: string | null;
        /** @description Day of the release; null if unknown. */
        release_day: number | null;
        /** @description Month of the release, 1 to 12; null if unknown. */
        release_month: number | null;
        /** @description Year of the release; null if unknown. */
        release_year: number | null;
        /** @description Whether others may stream it. To others: whether they can. */
        streamable: boolean;
        /** @description Whether the owner lets others download the original. */
        downloadable: boolean;
        /**
         * @description `processing` until it is encoded. A `failed` track can be encoded again, unless the file was the cause.
         * @enum {string}
         */
        state: "processing" | "failed" | "finished";
        /**
         * @description Rights that the owner gives.
         * @enum {string}
         */
        license: "no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa";
        /**
         * @description Kind of recording; null if none was given.
         * @enum {string|null}
         */
        track_type: "original" | "remix" | "live" | "recording" | "spoken" | "podcast" | "demo" | "in progress" | "stem" | "loop" | "sound effect" | "sample" | "other" | null;
        /** @description PNG, 1800 by 280 pixels; the same path with .json holds the samples. Null until finished. */
        waveform_url: string | null;
        /**
         * Format: uri
         * @description The original file. Absent unless you may download it.
         */
        download_url?: string;
        /**
         * Format: uri
         * @description Replies with the links to its streams. Absent if access is `blocked`.
         */
        stream_url?: string;
        /** @description Address of a video. Null if the owner gave none. */
        video_url: string | null;
        /** @description Beats per minute; null if unknown. */
        bpm: number | null;
        /** @description Whether listeners may comment. */
        commentable: boolean;
        /** @description `false` hides other users' comments and their count from all but the owner. */
        reveal_comments: boolean;
        /** @description `false` hides counts, likers and reposters from all but the owner. */
        reveal_stats: boolean;
        /** @description International recording code. Null if the owner gave none. */
        isrc: string | null;
        /** @description Null if the owner gave none. */
        key_signature: string | null;
        /** @description Null if the owner hides comments. */
        comment_count: number | null;
        /** @description Null if the owner hides counts. */
        download_count: number | null;
        /** @description Null if the owner hides counts. */
        playback_count: number | null;
        /** @description Null if the owner hides counts. */
        favoritings_count: number | null;
        /** @description Null if the owner hides counts. */
        reposts_count: number | null;
        /** @description Number of your plays; null without a user's token. */
        user_playback_count: number | null;
        /** @description Detected from the content; null until then. */
        original_format: string | null;
        /** @description Bytes. */
        original_content_size: number;
        /**
         * Format: uri
         * @description List of the track's attachments.
         */
        attachments_uri: string;
        /** @description The app that uploaded it; absent if none did. */
        created_with?: components["schemas"]["MiniApp"];
        /** @description Artist to show; the uploader's username unless another was given. */
        metadata_artist: string;
        /** @description With a user's token only. */
        user_favorite?: boolean;
        /**
         * @description The part that you may hear: all of it, 30 seconds, or nothing.
         * @enum {string}
         */
        access: "playable" | "preview" | "blocked";
        /** @description Countries where the track plays, as ISO 3166-1 alpha-2; null means everywhere. */
        available_country_codes: string[] | null;
        /** @description Shown to the owner only. */
        secret_token?: string;
        /**
         * Format: uri
         * @description Shown to the owner only.
         */
        secret_uri?: string;
        /**
         * @description Shown to the owner only.
         * @enum {string|null}
         */
        paywall?: "preview" | "blocked" | null;
        /** @description Shown to the owner only. */
        encoding?: components["schemas"]["Encoding"];
        /** @description Shown to the owner only, while an operator keeps the track down. It is `private` and `blocked` meanwhile, and nobody else sees it. */
        takedown?: components["schemas"]["Takedown"];
        /** @description The owner's message, and the time of sharing. */
        sharing_note: {
          /** @description Null without a message. */
          text: string | null;
          /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
          created_at: string;
        };
      };
    } | {
      /**
       * @description Tells entries apart.
       * @constant
       */
      type: "comment";
      /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
      created_at: string;
      /** @description Comma-separated: `own` (on your track), `affiliated` (by somebody you follow), `exclusive` (shared with 10 people or fewer), `first` (the first track that a person you do not follow shares with you), `conversation` (a reply to your comment). */
      tags: string | null;
      /** @description The thing it is about. */
      origin: {
        /** @description Unique among its kind. Safe as a JSON number. */
        id: number;
        /**
         * @description Tells representations apart.
         * @constant
         */
        kind: "comment";
        /** @description The id with its kind. */
        urn: string;
        /**
         * Format: uri
         * @description Address in the API.
         */
        uri: string;
        /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
        created_at: string;
        /** @description HTML. */
        body: string;
        /** @description Milliseconds from the start of the track; null if the comment is not timed. */
        timestamp: number | null;
        /** @description The user's id; the owner's in tracks and playlists. */
        user_id: number;
        /** @description The user's URN. */
        user_urn: string;
        /** @description The user. */
        user: components["schemas"]["CommentUser"];
        /** @description The track. */
        track_id: number;
        /** @description The track's URN. */
        track_urn: string;
        /** @description The track. */
        track: components["schemas"]["MiniTrack"];
      };
    } | {
      /**
       * @description Tells entries apart.
       * @constant
       */
      type: "favoriting";
      /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
      created_at: string;
      /** @description Comma-separated: `own` (on your track), `affiliated` (by somebody you follow), `exclusive` (shared with 10 people or fewer), `first` (the first track that a person you do not follow shares with you), `conversation` (a reply to your comment). */
      tags: string | null;
      /** @description The thing it is about. */
      origin: {
        /** @description The track. */
        track: components["schemas"]["MiniTrack"];
        /** @description The user. */
        user: components["schemas"]["MiniUser"];
      };
    };
    MiniTrack: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "track";
      /** @description The id with its kind. */
      urn: string;
      /** @description Last part of the page's address; it never changes. */
      permalink: string;
      /** @description At least one visible character. */
      title: string;
      /** @description Last change, UTC. */
      last_modified: string;
      /**
       * Format: uri
       * @description Address in the API.
       */
      uri: string;
      /**
       * Format: uri
       * @description Page on the site.
       */
      permalink_url: string;
      /**
       * Format: uri
       * @description JPEG; null without a picture.
       */
      artwork_url: string | null;
      /** @description The user's id; the owner's in tracks and playlists. */
      user_id: number;
      /** @description The user. */
      user: components["schemas"]["MiniUser"];
    };
    WebProfileList: components["schemas"]["WebProfile"][] | {
      /** @description The page's items. */
      collection: components["schemas"]["WebProfile"][];
      /**
       * Format: uri
       * @description The next page; absent on the last one.
       */
      next_href?: string;
    };
    WebProfile: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /** @description The id with its kind. */
      urn: string;
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "web-profile";
      /** @description Name of the service, such as `bandcamp`; `personal` for any other site. */
      service: string;
      /** @description Label of the link. Null if the user gave none. */
      title: string | null;
      /** @description Complete address. */
      url: string;
      /** @description The user's name at the service. Null if the user gave none. */
      username: string | null;
      /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
      created_at: string;
    };
    Connections: components["schemas"]["Connection"][] | {
      /** @description The page's items. */
      collection: components["schemas"]["Connection"][];
      /**
       * Format: uri
       * @description The next page; absent on the last one.
       */
      next_href?: string;
    };
    Connection: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "connection";
      /** @description The id with its kind. */
      urn: string;
      /**
       * Format: uri
       * @description Address in the API.
       */
      uri: string;
      /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
      created_at: string;
      /** @description Name of the other service, such as `facebook_page`. */
      service: string;
      /** @description The same as `service`. */
      type: string;
      /** @description Name of the profile at the service. */
      display_name: string;
      /** @description Whether your favorites are posted there. */
      post_favorite: boolean;
      /** @description Whether your new public tracks are posted there. */
      post_publish: boolean;
    };
    UnsavedConnection: {
      /**
       * Format: uri
       * @description Address at the other service, for a browser. It works once, for ten minutes.
       */
      authorize_url: string;
    };
    Webhooks: components["schemas"]["Webhook"][] | {
      /** @description The page's items. */
      collection: components["schemas"]["Webhook"][];
      /**
       * Format: uri
       * @description The next page; absent on the last one.
       */
      next_href?: string;
    };
    Webhook: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "webhook";
      /**
       * Format: uri
       * @description Address in the API.
       */
      uri: string;
      /**
       * Format: uri
       * @description Log of deliveries.
       */
      deliveries_uri: string;
      /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
      created_at: string;
      /** @description Last change, UTC. */
      last_modified: string;
      /** @description The app that created it. */
      app_id: number;
      /** @description Where events are sent. */
      url: string;
      /** @description Names of the events to send. */
      events: string[];
      /** @description Whether events are sent. */
      enabled: boolean;
      /**
       * @description Reason if the service switched it off: `failing` for five days, `gone` after a 410, or `access_ended` with its app's access. Set `enabled` to resume.
       * @enum {string|null}
       */
      disabled_reason: "failing" | "gone" | "access_ended" | null;
      /** @description First failed attempt since the last success; null after a success. */
      failing_since: string | null;
      /** @description End of the previous secret, which signs too until then; null if there is none. */
      previous_secret_expires_at: string | null;
    };
    WebhookWithSecret: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "webhook";
      /**
       * Format: uri
       * @description Address in the API.
       */
      uri: string;
      /**
       * Format: uri
       * @description Log of deliveries.
       */
      deliveries_uri: string;
      /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
      created_at: string;
      /** @description Last change, UTC. */
      last_modified: string;
      /** @description The app that created it. */
      app_id: number;
      /** @description Where events are sent. */
      url: string;
      /** @description Names of the events to send. */
      events: string[];
      /** @description Whether events are sent. */
      enabled: boolean;
      /**
       * @description Reason if the service switched it off: `failing` for five days, `gone` after a 410, or `access_ended` with its app's access. Set `enabled` to resume.
       * @enum {string|null}
       */
      disabled_reason: "failing" | "gone" | "access_ended" | null;
      /** @description First failed attempt since the last success; null after a success. */
      failing_since: string | null;
      /** @description End of the previous secret, which signs too until then; null if there is none. */
      previous_secret_expires_at: string | null;
      /** @description `whsec_` and Base64. Shown only once. */
      secret: string;
    };
    WebhookDelivery: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "webhook-delivery";
      /** @description The `webhook-id` of every attempt. */
      message_id: string;
      /** @description The webhook. */
      webhook_id: number;
      /** @description Name of the event. */
      event: string;
      /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
      created_at: string;
      /**
       * @description `pending` while attempts go on.
       * @enum {string}
       */
      state: "pending" | "delivered" | "failed";
      /** @description Null if none will follow. */
      next_attempt_at: string | null;
      /** @description The last twenty, oldest first. */
      attempts: {
        /** @description UTC. */
        attempted_at: string;
        /** @description Milliseconds. */
        duration: number;
        /** @description Null without a response. */
        response_code: number | null;
        /**
         * @description Null after a success.
         * @enum {string|null}
         */
        failure: "status" | "redirect" | "timeout" | "unreachable" | "unresolved" | "private_target" | "unsigned" | null;
      }[];
      /** @description The body that is sent. */
      payload: components["schemas"]["WebhookEvent"];
    };
    WebhookEvent: {
      /**
       * @description Name of the event.
       * @constant
       */
      type: "track.finished";
      /**
       * Format: date-time
       * @description Time of the event. `webhook-timestamp` is the time of sending.
       */
      timestamp: string;
      /** @description Content of the event. */
      data: {
        /** @description The track. */
        track: components["schemas"]["WebhookTrack"];
      };
    } | {
      /**
       * @description Name of the event.
       * @constant
       */
      type: "track.failed";
      /**
       * Format: date-time
       * @description Time of the event. `webhook-timestamp` is the time of sending.
       */
      timestamp: string;
      /** @description Content of the event. */
      data: {
        /** @description The track. */
        track: components["schemas"]["WebhookTrack"];
        /** @description Null if none is known. */
        reason: {
          /** @description Stable name of the cause. */
          code: string;
          /** @description The cause in words. */
          message: string;
        } | null;
      };
    } | {
      /**
       * @description Name of the event.
       * @constant
       */
      type: "comment.created";
      /**
       * Format: date-time
       * @description Time of the event. `webhook-timestamp` is the time of sending.
       */
      timestamp: string;
      /** @description Content of the event. */
      data: {
        /** @description The comment. */
        comment: components["schemas"]["WebhookComment"];
        /** @description The track. */
        track: components["schemas"]["WebhookTrack"];
        /** @description The user. */
        user: components["schemas"]["MiniUser"];
      };
    } | {
      /**
       * @description Name of the event.
       * @constant
       */
      type: "like.created";
      /**
       * Format: date-time
       * @description Time of the event. `webhook-timestamp` is the time of sending.
       */
      timestamp: string;
      /** @description Content of the event. */
      data: {
        /** @description The track. */
        track: components["schemas"]["WebhookTrack"];
        /** @description The user. */
        user: components["schemas"]["MiniUser"];
      } | {
        /** @description The playlist. */
        playlist: components["schemas"]["WebhookPlaylist"];
        /** @description The user. */
        user: components["schemas"]["MiniUser"];
      };
    } | {
      /**
       * @description Name of the event.
       * @constant
       */
      type: "follow.created";
      /**
       * Format: date-time
       * @description Time of the event. `webhook-timestamp` is the time of sending.
       */
      timestamp: string;
      /** @description Content of the event. */
      data: {
        /** @description The user. */
        user: components["schemas"]["MiniUser"];
      };
    } | {
      /**
       * @description Name of the event.
       * @constant
       */
      type: "webhook.test";
      /**
       * Format: date-time
       * @description Time of the event. `webhook-timestamp` is the time of sending.
       */
      timestamp: string;
      /** @description Content of the event. */
      data: {
        /** @description The user. */
        user: components["schemas"]["MiniUser"];
      };
    };
    WebhookDeliveries: components["schemas"]["WebhookDelivery"][] | {
      /** @description The page's items. */
      collection: components["schemas"]["WebhookDelivery"][];
      /**
       * Format: uri
       * @description The next page; absent on the last one.
       */
      next_href?: string;
    };
    Upload: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /**
       * @description `open` takes parts, `completing` joins them, `ready` can become a track, and `used` has. The others have ended.
       * @enum {string}
       */
      status: "open" | "completing" | "ready" | "used" | "failed" | "aborted" | "expired";
      /** @description Name of the file, for people. */
      filename: string;
      /** @description Bytes. */
      size: number;
      /** @description Media type that was announced. */
      type: string;
      /** @description The file's own time, in milliseconds since 1970; null if not given. */
      last_modified: number | null;
      /** @description Bytes of each part except the last. 5 MiB once Uppy sends the parts. */
      part_size: number;
      /** @description Parts to send. */
      part_count: number;
      /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
      created_at: string;
      /** @description UTC. */
      expires_at: string;
      /**
       * Format: uri
       * @description For an unmodified Uppy on any page: `companionEndpoint` of `@uppy/aws-s3` 6, `endpoint` of 5. It needs no other option and no other credential, so it is a secret. It ends with the token's session or with the upload. Leave `getChunkSize` alone: each part has 5 MiB, and storage takes no other size.
       */
      companion_url: string;
      /** @description The track made from the upload; null until then. */
      track_id: number | null;
      /** @description Why the upload failed; null if it did not. */
      error: string | null;
    };
    Uploads: components["schemas"]["Upload"][] | {
      /** @description The page's items. */
      collection: components["schemas"]["Upload"][];
      /**
       * Format: uri
       * @description The next page; absent on the last one.
       */
      next_href?: string;
    };
    UploadWithParts: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /**
       * @description `open` takes parts, `completing` joins them, `ready` can become a track, and `used` has. The others have ended.
       * @enum {string}
       */
      status: "open" | "completing" | "ready" | "used" | "failed" | "aborted" | "expired";
      /** @description Name of the file, for people. */
      filename: string;
      /** @description Bytes. */
      size: number;
      /** @description Media type that was announced. */
      type: string;
      /** @description The file's own time, in milliseconds since 1970; null if not given. */
      last_modified: number | null;
      /** @description Bytes of each part except the last. 5 MiB once Uppy sends the parts. */
      part_size: number;
      /** @description Parts to send. */
      part_count: number;
      /** @description UTC, as `yyyy/mm/dd hh:mm:ss +0000`. */
      created_at: string;
      /** @description UTC. */
      expires_at: string;
      /**
       * Format: uri
       * @description For an unmodified Uppy on any page: `companionEndpoint` of `@uppy/aws-s3` 6, `endpoint` of 5. It needs no other option and no other credential, so it is a secret. It ends with the token's session or with the upload. Leave `getChunkSize` alone: each part has 5 MiB, and storage takes no other size.
       */
      companion_url: string;
      /** @description The track made from the upload; null until then. */
      track_id: number | null;
      /** @description Why the upload failed; null if it did not. */
      error: string | null;
      /** @description Parts that storage has. */
      parts: {
        /** @description Number of the part, from 1. */
        number: number;
        /** @description Bytes. */
        size: number;
        /** @description Storage's ETag of the part, quoted or not. */
        etag: string;
      }[];
    };
    PartUrls: {
      /** @description Addresses by number of the part. PUT the bytes there. */
      urls: {
        [key: string]: string;
      };
      /** @description UTC, an hour later. */
      expires_at: string;
    };
    CompanionForm: {
      /**
       * @description Send the form with this method.
       * @constant
       */
      method: "POST";
      /**
       * Format: uri
       * @description Where the form is sent.
       */
      url: string;
      /** @description Fields to send before the file. */
      fields: {
        /** @description Part of the protocol; send it back unchanged. */
        key: string;
      };
    };
    CompanionCompleted: {
      /** @description The upload session. */
      location: string;
      /** @description Part of the protocol; send it back unchanged. */
      key: string;
      /** @description Part of the protocol; without meaning here. */
      bucket: string;
    };
    CompanionUpload: {
      /** @description Part of the protocol; send it back unchanged. */
      key: string;
      /** @description The session, as Uppy calls it. */
      uploadId: string;
      /** @description Part of the protocol; without meaning here. */
      bucket: string;
    };
    CompanionParts: {
      /** @description From 1. */
      PartNumber: number;
      /** @description Bytes. */
      Size: number;
      /** @description Storage's ETag of the part. */
      ETag: string;
    }[];
    Empty: Record<string, never>;
    CompanionPartUrl: {
      /**
       * Format: uri
       * @description PUT the part's bytes there.
       */
      url: string;
      /** @description Seconds until the address ends. */
      expires: number;
    };
    Waveform: {
      /** @description Number of samples. */
      width: number;
      /** @description The level of full scale. */
      height: number;
      /** @description The peak level of each part of the track, from 0 to `height`. The parts are equally long. */
      samples: number[];
    };
    App: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "app";
      /** @description Name that people see. */
      name: string;
      /**
       * Format: uri
       * @description Address in the API.
       */
      uri: string;
      /**
       * Format: uri
       * @description Page on the site.
       */
      permalink_url: string;
      /**
       * Format: uri
       * @description The app's own site; null without one.
       */
      external_url: string | null;
      /** @description Username of the developer. */
      creator: string;
    };
    OwnApps: components["schemas"]["OwnApp"][] | {
      /** @description The page's items. */
      collection: components["schemas"]["OwnApp"][];
      /**
       * Format: uri
       * @description The next page; absent on the last one.
       */
      next_href?: string;
    };
    OwnApp: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "app";
      /** @description Name that people see. */
      name: string;
      /**
       * Format: uri
       * @description Address in the API.
       */
      uri: string;
      /**
       * Format: uri
       * @description Page on the site.
       */
      permalink_url: string;
      /**
       * Format: uri
       * @description The app's own site; null without one.
       */
      external_url: string | null;
      /** @description Username of the developer. */
      creator: string;
      /** @description Public name of the app. */
      client_id: string;
      /** @description Addresses that users return to. */
      redirect_uris: string[];
      /** @description End of the previous secret's validity; null if there is none. */
      previous_secret_expires_at: string | null;
    };
    AppWithSecret: {
      /** @description Unique among its kind. Safe as a JSON number. */
      id: number;
      /**
       * @description Tells representations apart.
       * @constant
       */
      kind: "app";
      /** @description Name that people see. */
      name: string;
      /**
       * Format: uri
       * @description Address in the API.
       */
      uri: string;
      /**
       * Format: uri
       * @description Page on the site.
       */
      permalink_url: string;
      /**
       * Format: uri
       * @description The app's own site; null without one.
       */
      external_url: string | null;
      /** @description Username of the developer. */
      creator: string;
      /** @description Public name of the app. */
      client_id: string;
      /** @description Addresses that users return to. */
      redirect_uris: string[];
      /** @description End of the previous secret's validity; null if there is none. */
      previous_secret_expires_at: string | null;
      /** @description Shown only once: the service stores just its hash. */
      client_secret: string;
    };
    Resolved: components["schemas"]["User"] | components["schemas"]["Track"] | components["schemas"]["Playlist"] | components["schemas"]["App"];
    Oembed: {
      /**
       * @description Version of oEmbed.
       * @constant
       */
      version: 1;
      /**
       * @description Always `rich`.
       * @constant
       */
      type: "rich";
      /** @description Name of the service. */
      provider_name: string;
      /**
       * Format: uri
       * @description The site.
       */
      provider_url: string;
      /** @description CSS pixels. */
      height: number;
      /** @description CSS pixels, or all of the room. */
      width: number | "100%";
      /** @description Title and owner, or a user's name alone. */
      title: string;
      /** @description Plain text. */
      description: string;
      /**
       * Format: uri
       * @description JPEG.
       */
      thumbnail_url: string;
      /** @description CSS pixels. */
      thumbnail_width: number;
      /** @description CSS pixels. */
      thumbnail_height: number;
      /** @description Markup to put into a page. */
      html: string;
      /** @description Username of the owner. */
      author_name: string;
      /**
       * Format: uri
       * @description The owner's page.
       */
      author_url: string;
    };
    Healthy: {
      /**
       * @description Always `ok`.
       * @constant
       */
      status: "ok";
      /** @description Semantic version of the service. */
      version: string;
    };
    Readiness: {
      /**
       * @description `ok` if every part is.
       * @enum {string}
       */
      status: "ok" | "failing";
      /**
       * @description Whether the database answers.
       * @enum {string}
       */
      database: "ok" | "failing";
      /**
       * @description Whether storage answers.
       * @enum {string}
       */
      storage: "ok" | "failing";
      /**
       * @description Whether the service can read its keys.
       * @enum {string}
       */
      secrets: "ok" | "failing";
    };
    OlderToken: {
      /** @description Send it as `Authorization: OAuth <ACCESS_TOKEN>` or `Bearer`. */
      access_token: string;
      /** @description Always `*`. */
      scope: string;
      /** @description Seconds; only with the refresh grant. */
      expires_in?: number;
      /** @description Only with the refresh grant. */
      refresh_token?: string;
    };
    OlderTokenError: {
      /** @description Code of RFC 6749; null for other errors. */
      error: string | null;
      /** @description One entry a cause. */
      errors: ({
        /** @description One cause, with the field's name. */
        error_message: string;
      } & {
        [key: string]: unknown;
      })[];
    } & {
      [key: string]: unknown;
    };
    Token: {
      /** @description Send it as `Authorization: OAuth <ACCESS_TOKEN>` or `Bearer`. */
      access_token: string;
      /**
       * @description `OAuth` works too.
       * @constant
       */
      token_type: "Bearer";
      /** @description Seconds. */
      expires_in: number;
      /** @description Single use. */
      refresh_token: string;
      /** @description Empty: no scopes are defined. */
      scope: string;
    };
    OAuthError: {
      /** @description Code of RFC 6749. */
      error: string;
      /** @description The cause in words, for developers. */
      error_description: string;
      /** @description The status. */
      code: number;
      /** @description `<status> - <reason>` */
      message: string;
      /** @description Explains this error, and what to do about it. */
      link: string;
      /** @description The same as `message`. */
      status: string;
      /** @description One entry a cause. */
      errors: ({
        /** @description One cause, with the field's name. */
        error_message: string;
      } & {
        [key: string]: unknown;
      })[];
    };
    Revoked: Record<string, never>;
    Introspection: {
      /** @description Whether the token is valid and this client's. If not, no other field is there. */
      active: boolean;
      /** @description Public name of the app. */
      client_id?: string;
      /** @description Name as shown. */
      username?: string;
      /** @description `u:` and the user's id; `c:` and the client id for an app's own token. */
      sub?: string;
      /** @description Empty; `*` for a token of the older endpoint. */
      scope?: string;
      /**
       * @description `OAuth` works too.
       * @constant
       */
      token_type?: "Bearer";
      /** @description The authorization server. */
      iss?: string;
      /** @description The API that takes the token. */
      aud?: string;
      /** @description Time of issue, in seconds since 1970. */
      iat?: number;
      /** @description End of the token, in seconds since 1970. */
      exp?: number;
    };
    SignedOut: Record<string, never>;
    SessionError: {
      /**
       * @description `bad_request`: no token was sent. `unauthorized`: its session has ended.
       * @enum {string}
       */
      error: "bad_request" | "unauthorized";
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export interface operations {
  listUsers: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in username, permalink, full name, city or description; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Users"];
        };
      };
    };
  };
  getUser: {
    parameters: {
      header?: {
        /** @description ETags of the client's copies. 304: one still matches. */
        "If-None-Match"?: string;
      };
      path: {
        /** @description Id or URN of the user. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
    };
  };
  listRelatedUsers: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in username, permalink, full name, city or description; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
      path: {
        /** @description Id or URN of the user. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Users"];
        };
      };
    };
  };
  listMyRelatedUsers: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in username, permalink, full name, city or description; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Users"];
        };
      };
    };
  };
  getMe: {
    parameters: {
      header?: {
        /** @description ETags of the client's copies. 304: one still matches. */
        "If-None-Match"?: string;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Me"];
        };
      };
    };
  };
  updateMe: {
    parameters: {
      header?: {
        /** @description ETag of the client's copy. 412: the resource was changed since. Changes of counters do not count. */
        "If-Match"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["MeUpdate"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Me"];
        };
      };
    };
  };
  getUserInfo: {
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UserInfo"];
        };
      };
    };
  };
  listTracks: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in title, artist, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first, of more than 4,000 those among the newest 200, unless `sort` is given. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Genres, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        genres?: string[];
        /** @description Tags, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        tags?: string[];
        /** @description `all`: public tracks and your own. `public`: public tracks alone. `private`: your own private tracks. For older clients, `streamable`: those that you can hear, at least as a preview; and `downloadable`: those whose owners let others download them. Both also go together, and with one of the first three, separated by commas. */
        filter?: "all" | "public" | "private" | "streamable" | "streamable,all" | "streamable,public" | "streamable,private" | "downloadable" | "downloadable,all" | "downloadable,public" | "downloadable,private" | "streamable,downloadable" | "streamable,downloadable,all" | "streamable,downloadable,public" | "streamable,downloadable,private";
        /** @description Licenses, comma-separated. */
        license?: ("no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa")[];
        /** @description Track types, comma-separated. */
        types?: ("original" | "remix" | "live" | "recording" | "spoken" | "podcast" | "demo" | "in progress" | "stem" | "loop" | "sound effect" | "sample" | "other")[];
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Inclusive. */
        "bpm[from]"?: number;
        /** @description Inclusive. */
        "bpm[to]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[from]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[to]"?: number;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or after. */
        "created_at[from]"?: string;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or before, to the whole second. */
        "created_at[to]"?: string;
        /** @description Sorts by time: `asc` oldest first; `desc` and `created_at` newest first, without ranking. */
        sort?: "asc" | "desc" | "created_at";
        /** @description The same as `sort`, for older clients. Other values are ignored. */
        order?: string;
        /** @description The same as `order`, also beside `order=created_at`. */
        direction?: string;
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
        /** @description Id or URN of the tracks' owner, as older clients send it: the list of `/users/{id}/tracks`. */
        user_id?: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tracks"];
        };
      };
    };
  };
  createTrack: {
    parameters: {
      header?: {
        /** @description Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of more than 64 KiB as what it made is now. 422: the key was used for another request. 409: the first request is still running. It has 1 to 255 printable ASCII characters; take a UUID. */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewTrack"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Track"];
        };
      };
    };
  };
  listMyTracks: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in title, artist, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first, of more than 4,000 those among the newest 200, unless `sort` is given. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Genres, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        genres?: string[];
        /** @description Tags, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        tags?: string[];
        /** @description `all`: public tracks and your own. `public`: public tracks alone. `private`: your own private tracks. For older clients, `streamable`: those that you can hear, at least as a preview; and `downloadable`: those whose owners let others download them. Both also go together, and with one of the first three, separated by commas. */
        filter?: "all" | "public" | "private" | "streamable" | "streamable,all" | "streamable,public" | "streamable,private" | "downloadable" | "downloadable,all" | "downloadable,public" | "downloadable,private" | "streamable,downloadable" | "streamable,downloadable,all" | "streamable,downloadable,public" | "streamable,downloadable,private";
        /** @description Licenses, comma-separated. */
        license?: ("no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa")[];
        /** @description Track types, comma-separated. */
        types?: ("original" | "remix" | "live" | "recording" | "spoken" | "podcast" | "demo" | "in progress" | "stem" | "loop" | "sound effect" | "sample" | "other")[];
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Inclusive. */
        "bpm[from]"?: number;
        /** @description Inclusive. */
        "bpm[to]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[from]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[to]"?: number;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or after. */
        "created_at[from]"?: string;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or before, to the whole second. */
        "created_at[to]"?: string;
        /** @description Sorts by time: `asc` oldest first; `desc` and `created_at` newest first, without ranking. */
        sort?: "asc" | "desc" | "created_at";
        /** @description The same as `sort`, for older clients. Other values are ignored. */
        order?: string;
        /** @description The same as `order`, also beside `order=created_at`. */
        direction?: string;
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tracks"];
        };
      };
    };
  };
  listUserTracks: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in title, artist, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first, of more than 4,000 those among the newest 200, unless `sort` is given. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Genres, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        genres?: string[];
        /** @description Tags, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        tags?: string[];
        /** @description `all`: public tracks and your own. `public`: public tracks alone. `private`: your own private tracks. For older clients, `streamable`: those that you can hear, at least as a preview; and `downloadable`: those whose owners let others download them. Both also go together, and with one of the first three, separated by commas. */
        filter?: "all" | "public" | "private" | "streamable" | "streamable,all" | "streamable,public" | "streamable,private" | "downloadable" | "downloadable,all" | "downloadable,public" | "downloadable,private" | "streamable,downloadable" | "streamable,downloadable,all" | "streamable,downloadable,public" | "streamable,downloadable,private";
        /** @description Licenses, comma-separated. */
        license?: ("no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa")[];
        /** @description Track types, comma-separated. */
        types?: ("original" | "remix" | "live" | "recording" | "spoken" | "podcast" | "demo" | "in progress" | "stem" | "loop" | "sound effect" | "sample" | "other")[];
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Inclusive. */
        "bpm[from]"?: number;
        /** @description Inclusive. */
        "bpm[to]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[from]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[to]"?: number;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or after. */
        "created_at[from]"?: string;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or before, to the whole second. */
        "created_at[to]"?: string;
        /** @description Sorts by time: `asc` oldest first; `desc` and `created_at` newest first, without ranking. */
        sort?: "asc" | "desc" | "created_at";
        /** @description The same as `sort`, for older clients. Other values are ignored. */
        order?: string;
        /** @description The same as `order`, also beside `order=created_at`. */
        direction?: string;
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
      path: {
        /** @description Id or URN of the user. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tracks"];
        };
      };
    };
  };
  getTrack: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      header?: {
        /** @description ETags of the client's copies. 304: one still matches. */
        "If-None-Match"?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Track"];
        };
      };
    };
  };
  updateTrack: {
    parameters: {
      header?: {
        /** @description ETag of the client's copy. 412: the resource was changed since. Changes of counters do not count. */
        "If-Match"?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TrackChanges"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Track"];
        };
      };
    };
  };
  deleteTrack: {
    parameters: {
      header?: {
        /** @description ETag of the client's copy. 412: the resource was changed since. Changes of counters do not count. */
        "If-Match"?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  getMyTrack: {
    parameters: {
      header?: {
        /** @description ETags of the client's copies. 304: one still matches. */
        "If-None-Match"?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Track"];
        };
      };
    };
  };
  listRelatedTracks: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in title, artist, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first, of more than 4,000 those among the newest 200, unless `sort` is given. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Genres, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        genres?: string[];
        /** @description Tags, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        tags?: string[];
        /** @description `all`: public tracks and your own. `public`: public tracks alone. `private`: your own private tracks. For older clients, `streamable`: those that you can hear, at least as a preview; and `downloadable`: those whose owners let others download them. Both also go together, and with one of the first three, separated by commas. */
        filter?: "all" | "public" | "private" | "streamable" | "streamable,all" | "streamable,public" | "streamable,private" | "downloadable" | "downloadable,all" | "downloadable,public" | "downloadable,private" | "streamable,downloadable" | "streamable,downloadable,all" | "streamable,downloadable,public" | "streamable,downloadable,private";
        /** @description Licenses, comma-separated. */
        license?: ("no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa")[];
        /** @description Track types, comma-separated. */
        types?: ("original" | "remix" | "live" | "recording" | "spoken" | "podcast" | "demo" | "in progress" | "stem" | "loop" | "sound effect" | "sample" | "other")[];
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Inclusive. */
        "bpm[from]"?: number;
        /** @description Inclusive. */
        "bpm[to]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[from]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[to]"?: number;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or after. */
        "created_at[from]"?: string;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or before, to the whole second. */
        "created_at[to]"?: string;
        /** @description Sorts by time: `asc` oldest first; `desc` and `created_at` newest first, without ranking. */
        sort?: "asc" | "desc" | "created_at";
        /** @description The same as `sort`, for older clients. Other values are ignored. */
        order?: string;
        /** @description The same as `order`, also beside `order=created_at`. */
        direction?: string;
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
        /** @description Opens a private track. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tracks"];
        };
      };
    };
  };
  getTrackStreams: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Streams"];
        };
      };
    };
  };
  getTrackStream: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Streams"];
        };
      };
    };
  };
  getTrackPreview: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: never;
  };
  downloadTrack: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: never;
  };
  listTrackAttachments: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
        /** @description Page size, 1 to 200; a larger one counts as 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Attachments"];
        };
      };
    };
  };
  getTrackSecretToken: {
    parameters: {
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SecretToken"];
        };
      };
    };
  };
  replaceTrackSecretToken: {
    parameters: {
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SecretToken"];
        };
      };
    };
  };
  getTrackShares: {
    parameters: {
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SharedTo"];
        };
      };
    };
  };
  replaceTrackShares: {
    parameters: {
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TrackShares"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SharedTo"];
        };
      };
    };
  };
  retryTrack: {
    parameters: {
      header?: {
        /** @description Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of more than 64 KiB as what it made is now. 422: the key was used for another request. 409: the first request is still running. It has 1 to 255 printable ASCII characters; take a UUID. */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Track"];
        };
      };
    };
  };
  listPlaylists: {
    parameters: {
      query?: {
        /** @description `compact` omits the tracks; `id` lists only their ids. */
        representation?: "compact" | "id";
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters the playlist's tracks by your access to them. The playlist itself stays. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description `false` omits the tracks. */
        show_tracks?: boolean;
        /** @description Matches every word, or its beginning, in title, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first. Playlists come without their tracks. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
        /** @description Id or URN of the playlists' owner, as older clients send it: the list of `/users/{id}/playlists`. */
        user_id?: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Playlists"];
        };
      };
    };
  };
  createPlaylist: {
    parameters: {
      header?: {
        /** @description Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of more than 64 KiB as what it made is now. 422: the key was used for another request. 409: the first request is still running. It has 1 to 255 printable ASCII characters; take a UUID. */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewPlaylist"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Playlist"];
        };
      };
    };
  };
  listMyPlaylists: {
    parameters: {
      query?: {
        /** @description `compact` omits the tracks; `id` lists only their ids. */
        representation?: "compact" | "id";
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters the playlist's tracks by your access to them. The playlist itself stays. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description `false` omits the tracks. */
        show_tracks?: boolean;
        /** @description Matches every word, or its beginning, in title, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first. Playlists come without their tracks. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Playlists"];
        };
      };
    };
  };
  listUserPlaylists: {
    parameters: {
      query?: {
        /** @description `compact` omits the tracks; `id` lists only their ids. */
        representation?: "compact" | "id";
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters the playlist's tracks by your access to them. The playlist itself stays. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description `false` omits the tracks. */
        show_tracks?: boolean;
        /** @description Matches every word, or its beginning, in title, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first. Playlists come without their tracks. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
      path: {
        /** @description Id or URN of the user. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Playlists"];
        };
      };
    };
  };
  getPlaylist: {
    parameters: {
      query?: {
        /** @description `compact` omits the tracks; `id` lists only their ids. */
        representation?: "compact" | "id";
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters the playlist's tracks by your access to them. The playlist itself stays. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description `false` omits the tracks. */
        show_tracks?: boolean;
        /** @description Opens a private playlist, and its owner's private tracks inside it. */
        secret_token?: string;
      };
      header?: {
        /** @description ETags of the client's copies. 304: one still matches. */
        "If-None-Match"?: string;
      };
      path: {
        /** @description Id or URN of the playlist. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Playlist"];
        };
      };
    };
  };
  updatePlaylist: {
    parameters: {
      header?: {
        /** @description ETag of the client's copy. 412: the resource was changed since. Changes of counters do not count. */
        "If-Match"?: string;
      };
      path: {
        /** @description Id or URN of the playlist. */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PlaylistChanges"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Playlist"];
        };
      };
    };
  };
  deletePlaylist: {
    parameters: {
      header?: {
        /** @description ETag of the client's copy. 412: the resource was changed since. Changes of counters do not count. */
        "If-Match"?: string;
      };
      path: {
        /** @description Id or URN of the playlist. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  getMyPlaylist: {
    parameters: {
      query?: {
        /** @description `compact` omits the tracks; `id` lists only their ids. */
        representation?: "compact" | "id";
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters the playlist's tracks by your access to them. The playlist itself stays. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description `false` omits the tracks. */
        show_tracks?: boolean;
      };
      header?: {
        /** @description ETags of the client's copies. 304: one still matches. */
        "If-None-Match"?: string;
      };
      path: {
        /** @description Id or URN of the playlist. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Playlist"];
        };
      };
    };
  };
  listPlaylistTracks: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in title, artist, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first, of more than 4,000 those among the newest 200, unless `sort` is given. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Genres, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        genres?: string[];
        /** @description Tags, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        tags?: string[];
        /** @description `all`: public tracks and your own. `public`: public tracks alone. `private`: your own private tracks. For older clients, `streamable`: those that you can hear, at least as a preview; and `downloadable`: those whose owners let others download them. Both also go together, and with one of the first three, separated by commas. */
        filter?: "all" | "public" | "private" | "streamable" | "streamable,all" | "streamable,public" | "streamable,private" | "downloadable" | "downloadable,all" | "downloadable,public" | "downloadable,private" | "streamable,downloadable" | "streamable,downloadable,all" | "streamable,downloadable,public" | "streamable,downloadable,private";
        /** @description Licenses, comma-separated. */
        license?: ("no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa")[];
        /** @description Track types, comma-separated. */
        types?: ("original" | "remix" | "live" | "recording" | "spoken" | "podcast" | "demo" | "in progress" | "stem" | "loop" | "sound effect" | "sample" | "other")[];
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Inclusive. */
        "bpm[from]"?: number;
        /** @description Inclusive. */
        "bpm[to]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[from]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[to]"?: number;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or after. */
        "created_at[from]"?: string;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or before, to the whole second. */
        "created_at[to]"?: string;
        /** @description Sorts by time: `asc` oldest first; `desc` and `created_at` newest first, without ranking. */
        sort?: "asc" | "desc" | "created_at";
        /** @description The same as `sort`, for older clients. Other values are ignored. */
        order?: string;
        /** @description The same as `order`, also beside `order=created_at`. */
        direction?: string;
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
        /** @description Opens a private playlist, and its owner's private tracks inside it. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the playlist. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tracks"];
        };
      };
    };
  };
  replacePlaylistTracks: {
    parameters: {
      header?: {
        /** @description ETag of the client's copy. 412: the resource was changed since. Changes of counters do not count. */
        "If-Match"?: string;
      };
      path: {
        /** @description Id or URN of the playlist. */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PlaylistTracks"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Playlist"];
        };
      };
    };
  };
  removePlaylistTrack: {
    parameters: {
      header?: {
        /** @description ETag of the client's copy. 412: the resource was changed since. Changes of counters do not count. */
        "If-Match"?: string;
      };
      path: {
        /** @description Id or URN of the playlist. */
        id: number;
        /** @description Id or URN of the track. */
        trackId: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  getPlaylistSecretToken: {
    parameters: {
      path: {
        /** @description Id or URN of the playlist. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SecretToken"];
        };
      };
    };
  };
  replacePlaylistSecretToken: {
    parameters: {
      path: {
        /** @description Id or URN of the playlist. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SecretToken"];
        };
      };
    };
  };
  getPodcast: {
    parameters: {
      path: {
        /** @description Id or URN of the playlist. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Podcast"];
        };
      };
    };
  };
  changePodcast: {
    parameters: {
      path: {
        /** @description Id or URN of the playlist. */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PodcastChanges"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Podcast"];
        };
      };
    };
  };
  deletePodcast: {
    parameters: {
      path: {
        /** @description Id or URN of the playlist. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  getEpisode: {
    parameters: {
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Episode"];
        };
      };
    };
  };
  changeEpisode: {
    parameters: {
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["EpisodeChanges"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Episode"];
        };
      };
    };
  };
  likeTrack: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      header?: {
        /** @description Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of more than 64 KiB as what it made is now. 422: the key was used for another request. 409: the first request is still running. It has 1 to 255 printable ASCII characters; take a UUID. */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  unlikeTrack: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  likePlaylist: {
    parameters: {
      query?: {
        /** @description Opens a private playlist, and its owner's private tracks inside it. */
        secret_token?: string;
      };
      header?: {
        /** @description Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of more than 64 KiB as what it made is now. 422: the key was used for another request. 409: the first request is still running. It has 1 to 255 printable ASCII characters; take a UUID. */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Id or URN of the playlist. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  unlikePlaylist: {
    parameters: {
      query?: {
        /** @description Opens a private playlist, and its owner's private tracks inside it. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the playlist. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  repostTrack: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      header?: {
        /** @description Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of more than 64 KiB as what it made is now. 422: the key was used for another request. 409: the first request is still running. It has 1 to 255 printable ASCII characters; take a UUID. */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  unrepostTrack: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  repostPlaylist: {
    parameters: {
      query?: {
        /** @description Opens a private playlist, and its owner's private tracks inside it. */
        secret_token?: string;
      };
      header?: {
        /** @description Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of more than 64 KiB as what it made is now. 422: the key was used for another request. 409: the first request is still running. It has 1 to 255 printable ASCII characters; take a UUID. */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Id or URN of the playlist. */
        id: number;
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  unrepostPlaylist: {
    parameters: {
      query?: {
        /** @description Opens a private playlist, and its owner's private tracks inside it. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the playlist. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  listMyLikedTracks: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in title, artist, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first, of more than 4,000 those among the newest 200, unless `sort` is given. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Genres, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        genres?: string[];
        /** @description Tags, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        tags?: string[];
        /** @description `all`: public tracks and your own. `public`: public tracks alone. `private`: your own private tracks. For older clients, `streamable`: those that you can hear, at least as a preview; and `downloadable`: those whose owners let others download them. Both also go together, and with one of the first three, separated by commas. */
        filter?: "all" | "public" | "private" | "streamable" | "streamable,all" | "streamable,public" | "streamable,private" | "downloadable" | "downloadable,all" | "downloadable,public" | "downloadable,private" | "streamable,downloadable" | "streamable,downloadable,all" | "streamable,downloadable,public" | "streamable,downloadable,private";
        /** @description Licenses, comma-separated. */
        license?: ("no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa")[];
        /** @description Track types, comma-separated. */
        types?: ("original" | "remix" | "live" | "recording" | "spoken" | "podcast" | "demo" | "in progress" | "stem" | "loop" | "sound effect" | "sample" | "other")[];
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Inclusive. */
        "bpm[from]"?: number;
        /** @description Inclusive. */
        "bpm[to]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[from]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[to]"?: number;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or after. */
        "created_at[from]"?: string;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or before, to the whole second. */
        "created_at[to]"?: string;
        /** @description Sorts by time: `asc` oldest first; `desc` and `created_at` newest first, without ranking. */
        sort?: "asc" | "desc" | "created_at";
        /** @description The same as `sort`, for older clients. Other values are ignored. */
        order?: string;
        /** @description The same as `order`, also beside `order=created_at`. */
        direction?: string;
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tracks"];
        };
      };
    };
  };
  listMyFavorites: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in title, artist, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first, of more than 4,000 those among the newest 200, unless `sort` is given. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Genres, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        genres?: string[];
        /** @description Tags, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        tags?: string[];
        /** @description `all`: public tracks and your own. `public`: public tracks alone. `private`: your own private tracks. For older clients, `streamable`: those that you can hear, at least as a preview; and `downloadable`: those whose owners let others download them. Both also go together, and with one of the first three, separated by commas. */
        filter?: "all" | "public" | "private" | "streamable" | "streamable,all" | "streamable,public" | "streamable,private" | "downloadable" | "downloadable,all" | "downloadable,public" | "downloadable,private" | "streamable,downloadable" | "streamable,downloadable,all" | "streamable,downloadable,public" | "streamable,downloadable,private";
        /** @description Licenses, comma-separated. */
        license?: ("no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa")[];
        /** @description Track types, comma-separated. */
        types?: ("original" | "remix" | "live" | "recording" | "spoken" | "podcast" | "demo" | "in progress" | "stem" | "loop" | "sound effect" | "sample" | "other")[];
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Inclusive. */
        "bpm[from]"?: number;
        /** @description Inclusive. */
        "bpm[to]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[from]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[to]"?: number;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or after. */
        "created_at[from]"?: string;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or before, to the whole second. */
        "created_at[to]"?: string;
        /** @description Sorts by time: `asc` oldest first; `desc` and `created_at` newest first, without ranking. */
        sort?: "asc" | "desc" | "created_at";
        /** @description The same as `sort`, for older clients. Other values are ignored. */
        order?: string;
        /** @description The same as `order`, also beside `order=created_at`. */
        direction?: string;
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tracks"];
        };
      };
    };
  };
  listUserLikedTracks: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in title, artist, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first, of more than 4,000 those among the newest 200, unless `sort` is given. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Genres, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        genres?: string[];
        /** @description Tags, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        tags?: string[];
        /** @description `all`: public tracks and your own. `public`: public tracks alone. `private`: your own private tracks. For older clients, `streamable`: those that you can hear, at least as a preview; and `downloadable`: those whose owners let others download them. Both also go together, and with one of the first three, separated by commas. */
        filter?: "all" | "public" | "private" | "streamable" | "streamable,all" | "streamable,public" | "streamable,private" | "downloadable" | "downloadable,all" | "downloadable,public" | "downloadable,private" | "streamable,downloadable" | "streamable,downloadable,all" | "streamable,downloadable,public" | "streamable,downloadable,private";
        /** @description Licenses, comma-separated. */
        license?: ("no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa")[];
        /** @description Track types, comma-separated. */
        types?: ("original" | "remix" | "live" | "recording" | "spoken" | "podcast" | "demo" | "in progress" | "stem" | "loop" | "sound effect" | "sample" | "other")[];
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Inclusive. */
        "bpm[from]"?: number;
        /** @description Inclusive. */
        "bpm[to]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[from]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[to]"?: number;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or after. */
        "created_at[from]"?: string;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or before, to the whole second. */
        "created_at[to]"?: string;
        /** @description Sorts by time: `asc` oldest first; `desc` and `created_at` newest first, without ranking. */
        sort?: "asc" | "desc" | "created_at";
        /** @description The same as `sort`, for older clients. Other values are ignored. */
        order?: string;
        /** @description The same as `order`, also beside `order=created_at`. */
        direction?: string;
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
      path: {
        /** @description Id or URN of the user. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tracks"];
        };
      };
    };
  };
  listUserFavorites: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in title, artist, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first, of more than 4,000 those among the newest 200, unless `sort` is given. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Genres, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        genres?: string[];
        /** @description Tags, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        tags?: string[];
        /** @description `all`: public tracks and your own. `public`: public tracks alone. `private`: your own private tracks. For older clients, `streamable`: those that you can hear, at least as a preview; and `downloadable`: those whose owners let others download them. Both also go together, and with one of the first three, separated by commas. */
        filter?: "all" | "public" | "private" | "streamable" | "streamable,all" | "streamable,public" | "streamable,private" | "downloadable" | "downloadable,all" | "downloadable,public" | "downloadable,private" | "streamable,downloadable" | "streamable,downloadable,all" | "streamable,downloadable,public" | "streamable,downloadable,private";
        /** @description Licenses, comma-separated. */
        license?: ("no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa")[];
        /** @description Track types, comma-separated. */
        types?: ("original" | "remix" | "live" | "recording" | "spoken" | "podcast" | "demo" | "in progress" | "stem" | "loop" | "sound effect" | "sample" | "other")[];
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Inclusive. */
        "bpm[from]"?: number;
        /** @description Inclusive. */
        "bpm[to]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[from]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[to]"?: number;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or after. */
        "created_at[from]"?: string;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or before, to the whole second. */
        "created_at[to]"?: string;
        /** @description Sorts by time: `asc` oldest first; `desc` and `created_at` newest first, without ranking. */
        sort?: "asc" | "desc" | "created_at";
        /** @description The same as `sort`, for older clients. Other values are ignored. */
        order?: string;
        /** @description The same as `order`, also beside `order=created_at`. */
        direction?: string;
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
      path: {
        /** @description Id or URN of the user. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tracks"];
        };
      };
    };
  };
  getUserFavorite: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the user. */
        id: number;
        /** @description Id or URN of the track. */
        track: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Track"];
        };
      };
    };
  };
  addUserFavorite: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the user. */
        id: number;
        /** @description Id or URN of the track. */
        track: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  removeUserFavorite: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the user. */
        id: number;
        /** @description Id or URN of the track. */
        track: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  listMyFavoriteIds: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in title, artist, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first, of more than 4,000 those among the newest 200, unless `sort` is given. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Genres, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        genres?: string[];
        /** @description Tags, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        tags?: string[];
        /** @description `all`: public tracks and your own. `public`: public tracks alone. `private`: your own private tracks. For older clients, `streamable`: those that you can hear, at least as a preview; and `downloadable`: those whose owners let others download them. Both also go together, and with one of the first three, separated by commas. */
        filter?: "all" | "public" | "private" | "streamable" | "streamable,all" | "streamable,public" | "streamable,private" | "downloadable" | "downloadable,all" | "downloadable,public" | "downloadable,private" | "streamable,downloadable" | "streamable,downloadable,all" | "streamable,downloadable,public" | "streamable,downloadable,private";
        /** @description Licenses, comma-separated. */
        license?: ("no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa")[];
        /** @description Track types, comma-separated. */
        types?: ("original" | "remix" | "live" | "recording" | "spoken" | "podcast" | "demo" | "in progress" | "stem" | "loop" | "sound effect" | "sample" | "other")[];
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Inclusive. */
        "bpm[from]"?: number;
        /** @description Inclusive. */
        "bpm[to]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[from]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[to]"?: number;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or after. */
        "created_at[from]"?: string;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or before, to the whole second. */
        "created_at[to]"?: string;
        /** @description Sorts by time: `asc` oldest first; `desc` and `created_at` newest first, without ranking. */
        sort?: "asc" | "desc" | "created_at";
        /** @description The same as `sort`, for older clients. Other values are ignored. */
        order?: string;
        /** @description The same as `order`, also beside `order=created_at`. */
        direction?: string;
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TrackIds"];
        };
      };
    };
  };
  getMyFavorite: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Track"];
        };
      };
    };
  };
  addFavorite: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  removeFavorite: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  listMyLikedPlaylists: {
    parameters: {
      query?: {
        /** @description `compact` omits the tracks; `id` lists only their ids. */
        representation?: "compact" | "id";
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters the playlist's tracks by your access to them. The playlist itself stays. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description `false` omits the tracks. */
        show_tracks?: boolean;
        /** @description Matches every word, or its beginning, in title, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first. Playlists come without their tracks. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Playlists"];
        };
      };
    };
  };
  listUserLikedPlaylists: {
    parameters: {
      query?: {
        /** @description `compact` omits the tracks; `id` lists only their ids. */
        representation?: "compact" | "id";
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters the playlist's tracks by your access to them. The playlist itself stays. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description `false` omits the tracks. */
        show_tracks?: boolean;
        /** @description Matches every word, or its beginning, in title, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first. Playlists come without their tracks. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
      path: {
        /** @description Id or URN of the user. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Playlists"];
        };
      };
    };
  };
  listMyRepostedTracks: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in title, artist, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first, of more than 4,000 those among the newest 200, unless `sort` is given. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Genres, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        genres?: string[];
        /** @description Tags, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        tags?: string[];
        /** @description `all`: public tracks and your own. `public`: public tracks alone. `private`: your own private tracks. For older clients, `streamable`: those that you can hear, at least as a preview; and `downloadable`: those whose owners let others download them. Both also go together, and with one of the first three, separated by commas. */
        filter?: "all" | "public" | "private" | "streamable" | "streamable,all" | "streamable,public" | "streamable,private" | "downloadable" | "downloadable,all" | "downloadable,public" | "downloadable,private" | "streamable,downloadable" | "streamable,downloadable,all" | "streamable,downloadable,public" | "streamable,downloadable,private";
        /** @description Licenses, comma-separated. */
        license?: ("no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa")[];
        /** @description Track types, comma-separated. */
        types?: ("original" | "remix" | "live" | "recording" | "spoken" | "podcast" | "demo" | "in progress" | "stem" | "loop" | "sound effect" | "sample" | "other")[];
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Inclusive. */
        "bpm[from]"?: number;
        /** @description Inclusive. */
        "bpm[to]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[from]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[to]"?: number;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or after. */
        "created_at[from]"?: string;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or before, to the whole second. */
        "created_at[to]"?: string;
        /** @description Sorts by time: `asc` oldest first; `desc` and `created_at` newest first, without ranking. */
        sort?: "asc" | "desc" | "created_at";
        /** @description The same as `sort`, for older clients. Other values are ignored. */
        order?: string;
        /** @description The same as `order`, also beside `order=created_at`. */
        direction?: string;
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tracks"];
        };
      };
    };
  };
  listUserRepostedTracks: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in title, artist, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first, of more than 4,000 those among the newest 200, unless `sort` is given. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Genres, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        genres?: string[];
        /** @description Tags, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        tags?: string[];
        /** @description `all`: public tracks and your own. `public`: public tracks alone. `private`: your own private tracks. For older clients, `streamable`: those that you can hear, at least as a preview; and `downloadable`: those whose owners let others download them. Both also go together, and with one of the first three, separated by commas. */
        filter?: "all" | "public" | "private" | "streamable" | "streamable,all" | "streamable,public" | "streamable,private" | "downloadable" | "downloadable,all" | "downloadable,public" | "downloadable,private" | "streamable,downloadable" | "streamable,downloadable,all" | "streamable,downloadable,public" | "streamable,downloadable,private";
        /** @description Licenses, comma-separated. */
        license?: ("no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa")[];
        /** @description Track types, comma-separated. */
        types?: ("original" | "remix" | "live" | "recording" | "spoken" | "podcast" | "demo" | "in progress" | "stem" | "loop" | "sound effect" | "sample" | "other")[];
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Inclusive. */
        "bpm[from]"?: number;
        /** @description Inclusive. */
        "bpm[to]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[from]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[to]"?: number;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or after. */
        "created_at[from]"?: string;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or before, to the whole second. */
        "created_at[to]"?: string;
        /** @description Sorts by time: `asc` oldest first; `desc` and `created_at` newest first, without ranking. */
        sort?: "asc" | "desc" | "created_at";
        /** @description The same as `sort`, for older clients. Other values are ignored. */
        order?: string;
        /** @description The same as `order`, also beside `order=created_at`. */
        direction?: string;
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
      path: {
        /** @description Id or URN of the user. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tracks"];
        };
      };
    };
  };
  listMyRepostedPlaylists: {
    parameters: {
      query?: {
        /** @description `compact` omits the tracks; `id` lists only their ids. */
        representation?: "compact" | "id";
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters the playlist's tracks by your access to them. The playlist itself stays. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description `false` omits the tracks. */
        show_tracks?: boolean;
        /** @description Matches every word, or its beginning, in title, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first. Playlists come without their tracks. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Playlists"];
        };
      };
    };
  };
  listUserRepostedPlaylists: {
    parameters: {
      query?: {
        /** @description `compact` omits the tracks; `id` lists only their ids. */
        representation?: "compact" | "id";
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters the playlist's tracks by your access to them. The playlist itself stays. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description `false` omits the tracks. */
        show_tracks?: boolean;
        /** @description Matches every word, or its beginning, in title, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first. Playlists come without their tracks. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
      path: {
        /** @description Id or URN of the user. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Playlists"];
        };
      };
    };
  };
  listTrackFavoriters: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in username, permalink, full name, city or description; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
        /** @description Opens a private track. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Users"];
        };
      };
    };
  };
  listTrackReposters: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in username, permalink, full name, city or description; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
        /** @description Opens a private track. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Users"];
        };
      };
    };
  };
  listPlaylistFavoriters: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in username, permalink, full name, city or description; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
        /** @description Opens a private playlist, and its owner's private tracks inside it. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the playlist. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Users"];
        };
      };
    };
  };
  listPlaylistReposters: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in username, permalink, full name, city or description; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
        /** @description Opens a private playlist, and its owner's private tracks inside it. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the playlist. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Users"];
        };
      };
    };
  };
  getTrackFavoriter: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
        /** @description Id or URN of the user. */
        user: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
    };
  };
  getComment: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      header?: {
        /** @description ETags of the client's copies. 304: one still matches. */
        "If-None-Match"?: string;
      };
      path: {
        /** @description Id or URN of the comment. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Comment"];
        };
      };
    };
  };
  listTrackComments: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
        /** @description Page size, 1 to 200; a larger one counts as 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Comments"];
        };
      };
    };
  };
  createComment: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      header?: {
        /** @description Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of more than 64 KiB as what it made is now. 422: the key was used for another request. 409: the first request is still running. It has 1 to 255 printable ASCII characters; take a UUID. */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewComment"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Comment"];
        };
      };
    };
  };
  getTrackComment: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      header?: {
        /** @description ETags of the client's copies. 304: one still matches. */
        "If-None-Match"?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
        /** @description Id or URN of a comment on the track. */
        commentId: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Comment"];
        };
      };
    };
  };
  updateComment: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      header?: {
        /** @description ETag of the client's copy. 412: the resource was changed since. Changes of counters do not count. */
        "If-Match"?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
        /** @description Id or URN of a comment on the track. */
        commentId: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CommentChanges"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Comment"];
        };
      };
    };
  };
  deleteComment: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      header?: {
        /** @description ETag of the client's copy. 412: the resource was changed since. Changes of counters do not count. */
        "If-Match"?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
        /** @description Id or URN of a comment on the track. */
        commentId: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  listUserComments: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 200; a larger one counts as 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
      path: {
        /** @description Id or URN of the user. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Comments"];
        };
      };
    };
  };
  listMyComments: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 200; a larger one counts as 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Comments"];
        };
      };
    };
  };
  playTrack: {
    parameters: {
      query?: {
        /** @description Opens a private track. */
        secret_token?: string;
      };
      header?: {
        /** @description Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of more than 64 KiB as what it made is now. 422: the key was used for another request. 409: the first request is still running. It has 1 to 255 printable ASCII characters; take a UUID. */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Id or URN of the track. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  listRecentlyPlayedTracks: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in title, artist, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first, of more than 4,000 those among the newest 200, unless `sort` is given. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Genres, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        genres?: string[];
        /** @description Tags, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        tags?: string[];
        /** @description `all`: public tracks and your own. `public`: public tracks alone. `private`: your own private tracks. For older clients, `streamable`: those that you can hear, at least as a preview; and `downloadable`: those whose owners let others download them. Both also go together, and with one of the first three, separated by commas. */
        filter?: "all" | "public" | "private" | "streamable" | "streamable,all" | "streamable,public" | "streamable,private" | "downloadable" | "downloadable,all" | "downloadable,public" | "downloadable,private" | "streamable,downloadable" | "streamable,downloadable,all" | "streamable,downloadable,public" | "streamable,downloadable,private";
        /** @description Licenses, comma-separated. */
        license?: ("no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa")[];
        /** @description Track types, comma-separated. */
        types?: ("original" | "remix" | "live" | "recording" | "spoken" | "podcast" | "demo" | "in progress" | "stem" | "loop" | "sound effect" | "sample" | "other")[];
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Inclusive. */
        "bpm[from]"?: number;
        /** @description Inclusive. */
        "bpm[to]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[from]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[to]"?: number;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or after. */
        "created_at[from]"?: string;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or before, to the whole second. */
        "created_at[to]"?: string;
        /** @description Sorts by time: `asc` oldest first; `desc` and `created_at` newest first, without ranking. */
        sort?: "asc" | "desc" | "created_at";
        /** @description The same as `sort`, for older clients. Other values are ignored. */
        order?: string;
        /** @description The same as `order`, also beside `order=created_at`. */
        direction?: string;
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tracks"];
        };
      };
    };
  };
  listFeed: {
    parameters: {
      query?: {
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access to the tracks; playlists stay. A page searches 20,000 posts at most; the list ends if too few of them match. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Page size, 1 to 200; a larger one counts as 200. */
        limit?: number;
        /** @description Taken as by every list. The page is wrapped anyway. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Opaque. Take it from `future_href` to list newer items. */
        "uuid[to]"?: string;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Feed"];
        };
      };
    };
  };
  listFeedTracks: {
    parameters: {
      query?: {
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access to the tracks; playlists stay. A page searches 20,000 posts at most; the list ends if too few of them match. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Page size, 1 to 200; a larger one counts as 200. */
        limit?: number;
        /** @description Taken as by every list. The page is wrapped anyway. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Opaque. Take it from `future_href` to list newer items. */
        "uuid[to]"?: string;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TrackFeed"];
        };
      };
    };
  };
  listFollowedTracks: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in title, artist, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first, of more than 4,000 those among the newest 200, unless `sort` is given. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Genres, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        genres?: string[];
        /** @description Tags, comma-separated. One that holds a comma stands in double quotes. 2000 characters at most. */
        tags?: string[];
        /** @description `all`: public tracks and your own. `public`: public tracks alone. `private`: your own private tracks. For older clients, `streamable`: those that you can hear, at least as a preview; and `downloadable`: those whose owners let others download them. Both also go together, and with one of the first three, separated by commas. */
        filter?: "all" | "public" | "private" | "streamable" | "streamable,all" | "streamable,public" | "streamable,private" | "downloadable" | "downloadable,all" | "downloadable,public" | "downloadable,private" | "streamable,downloadable" | "streamable,downloadable,all" | "streamable,downloadable,public" | "streamable,downloadable,private";
        /** @description Licenses, comma-separated. */
        license?: ("no-rights-reserved" | "all-rights-reserved" | "cc-by" | "cc-by-nc" | "cc-by-nd" | "cc-by-sa" | "cc-by-nc-nd" | "cc-by-nc-sa")[];
        /** @description Track types, comma-separated. */
        types?: ("original" | "remix" | "live" | "recording" | "spoken" | "podcast" | "demo" | "in progress" | "stem" | "loop" | "sound effect" | "sample" | "other")[];
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Inclusive. */
        "bpm[from]"?: number;
        /** @description Inclusive. */
        "bpm[to]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[from]"?: number;
        /** @description Milliseconds, inclusive. */
        "duration[to]"?: number;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or after. */
        "created_at[from]"?: string;
        /** @description `yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339: at or before, to the whole second. */
        "created_at[to]"?: string;
        /** @description Sorts by time: `asc` oldest first; `desc` and `created_at` newest first, without ranking. */
        sort?: "asc" | "desc" | "created_at";
        /** @description The same as `sort`, for older clients. Other values are ignored. */
        order?: string;
        /** @description The same as `order`, also beside `order=created_at`. */
        direction?: string;
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tracks"];
        };
      };
    };
  };
  listActivities: {
    parameters: {
      query?: {
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access to the tracks; comments and likes stay. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Page size, 1 to 200; a larger one counts as 200. */
        limit?: number;
        /** @description Taken as by every list. The page is wrapped anyway. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Opaque. Take it from `future_href` to list newer items. */
        "uuid[to]"?: string;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Activities"];
        };
      };
    };
  };
  listAllActivities: {
    parameters: {
      query?: {
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access to the tracks; comments and likes stay. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Page size, 1 to 200; a larger one counts as 200. */
        limit?: number;
        /** @description Taken as by every list. The page is wrapped anyway. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Opaque. Take it from `future_href` to list newer items. */
        "uuid[to]"?: string;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Activities"];
        };
      };
    };
  };
  listOwnActivities: {
    parameters: {
      query?: {
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access to the tracks; comments and likes stay. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Page size, 1 to 200; a larger one counts as 200. */
        limit?: number;
        /** @description Taken as by every list. The page is wrapped anyway. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Opaque. Take it from `future_href` to list newer items. */
        "uuid[to]"?: string;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Activities"];
        };
      };
    };
  };
  listTrackActivities: {
    parameters: {
      query?: {
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access to the tracks; comments and likes stay. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Page size, 1 to 200; a larger one counts as 200. */
        limit?: number;
        /** @description Taken as by every list. The page is wrapped anyway. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Opaque. Take it from `future_href` to list newer items. */
        "uuid[to]"?: string;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Activities"];
        };
      };
    };
  };
  listAffiliatedTracks: {
    parameters: {
      query?: {
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access to the tracks; comments and likes stay. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Page size, 1 to 200; a larger one counts as 200. */
        limit?: number;
        /** @description Taken as by every list. The page is wrapped anyway. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Opaque. Take it from `future_href` to list newer items. */
        "uuid[to]"?: string;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Activities"];
        };
      };
    };
  };
  listExclusiveTracks: {
    parameters: {
      query?: {
        /** @description `playable`, `preview`, `blocked`, comma-separated. Filters by your access to the tracks; comments and likes stay. */
        access?: ("playable" | "preview" | "blocked")[];
        /** @description Page size, 1 to 200; a larger one counts as 200. */
        limit?: number;
        /** @description Taken as by every list. The page is wrapped anyway. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Opaque. Take it from `future_href` to list newer items. */
        "uuid[to]"?: string;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Activities"];
        };
      };
    };
  };
  listUserFollowings: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in username, permalink, full name, city or description; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
      path: {
        /** @description Id or URN of the user. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UserPage"];
        };
      };
    };
  };
  listUserFollowers: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in username, permalink, full name, city or description; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
      path: {
        /** @description Id or URN of the user. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UserPage"];
        };
      };
    };
  };
  listMyFollowings: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in username, permalink, full name, city or description; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UserPage"];
        };
      };
    };
  };
  listMyFollowers: {
    parameters: {
      query?: {
        /** @description Matches every word, or its beginning, in username, permalink, full name, city or description; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first. */
        q?: string;
        /** @description Ids or URNs, comma-separated, 200 at most. */
        ids?: number[];
        /** @description The same as `ids`. */
        urns?: string[];
        /** @description Page size, 1 to 200; a larger one counts as 200. Default: 50, with `ids` or `urns` 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UserPage"];
        };
      };
    };
  };
  getUserFollowing: {
    parameters: {
      path: {
        /** @description Id or URN of the user. */
        id: number;
        /** @description Id or URN of the other user. */
        userId: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
    };
  };
  followAsUser: {
    parameters: {
      path: {
        /** @description Id or URN of the user. */
        id: number;
        /** @description Id or URN of the other user. */
        userId: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
    };
  };
  unfollowAsUser: {
    parameters: {
      path: {
        /** @description Id or URN of the user. */
        id: number;
        /** @description Id or URN of the other user. */
        userId: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  getUserFollower: {
    parameters: {
      path: {
        /** @description Id or URN of the user. */
        id: number;
        /** @description Id or URN of the other user. */
        userId: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
    };
  };
  getMyFollower: {
    parameters: {
      path: {
        /** @description Id or URN of the other user. */
        userId: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
    };
  };
  getMyFollowing: {
    parameters: {
      path: {
        /** @description Id or URN of the other user. */
        userId: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
    };
  };
  follow: {
    parameters: {
      path: {
        /** @description Id or URN of the other user. */
        userId: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
    };
  };
  unfollow: {
    parameters: {
      path: {
        /** @description Id or URN of the other user. */
        userId: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  listUserWebProfiles: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 200; a larger one counts as 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
      };
      path: {
        /** @description Id or URN of the user. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebProfileList"];
        };
      };
    };
  };
  replaceUserWebProfiles: {
    parameters: {
      path: {
        /** @description Id or URN of the user. */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WebProfiles"] | {
          /** @description Complete address. */
          url: string;
          /** @description Default: derived from the address; `personal` if that is unknown. */
          service?: string | null;
          /** @description Label of the link. */
          title?: string | null;
          /** @description The user's name at the service. */
          username?: string | null;
        }[];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebProfile"][];
        };
      };
    };
  };
  deleteUserWebProfiles: {
    parameters: {
      path: {
        /** @description Id or URN of the user. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  listMyWebProfiles: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 200; a larger one counts as 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebProfileList"];
        };
      };
    };
  };
  replaceMyWebProfiles: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["WebProfiles"] | {
          /** @description Complete address. */
          url: string;
          /** @description Default: derived from the address; `personal` if that is unknown. */
          service?: string | null;
          /** @description Label of the link. */
          title?: string | null;
          /** @description The user's name at the service. */
          username?: string | null;
        }[];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebProfile"][];
        };
      };
    };
  };
  deleteMyWebProfiles: {
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  listConnections: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 200; a larger one counts as 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Connections"];
        };
      };
    };
  };
  createConnection: {
    parameters: {
      header?: {
        /** @description Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of more than 64 KiB as what it made is now. 422: the key was used for another request. 409: the first request is still running. It has 1 to 255 printable ASCII characters; take a UUID. */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewConnection"];
      };
    };
    responses: {
      /** @description Accepted */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UnsavedConnection"];
        };
      };
    };
  };
  getConnection: {
    parameters: {
      header?: {
        /** @description ETags of the client's copies. 304: one still matches. */
        "If-None-Match"?: string;
      };
      path: {
        /** @description Id or URN of the connection. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Connection"];
        };
      };
    };
  };
  changeConnection: {
    parameters: {
      header?: {
        /** @description ETag of the client's copy. 412: the resource was changed since. Changes of counters do not count. */
        "If-Match"?: string;
      };
      path: {
        /** @description Id or URN of the connection. */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ConnectionChanges"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Connection"];
        };
      };
    };
  };
  deleteConnection: {
    parameters: {
      header?: {
        /** @description ETag of the client's copy. 412: the resource was changed since. Changes of counters do not count. */
        "If-Match"?: string;
      };
      path: {
        /** @description Id or URN of the connection. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  listWebhooks: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 200; a larger one counts as 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Webhooks"];
        };
      };
    };
  };
  createWebhook: {
    parameters: {
      header?: {
        /** @description Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of more than 64 KiB as what it made is now. 422: the key was used for another request. 409: the first request is still running. It has 1 to 255 printable ASCII characters; take a UUID. */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewWebhook"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookWithSecret"];
        };
      };
    };
  };
  streamEvents: {
    parameters: {
      header?: {
        /** @description The `id` of the last event received: the stream goes on after it. */
        "Last-Event-ID"?: string;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
      };
    };
  };
  getWebhook: {
    parameters: {
      header?: {
        /** @description ETags of the client's copies. 304: one still matches. */
        "If-None-Match"?: string;
      };
      path: {
        /** @description Id of the webhook. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Webhook"];
        };
      };
    };
  };
  changeWebhook: {
    parameters: {
      path: {
        /** @description Id of the webhook. */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WebhookChanges"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Webhook"];
        };
      };
    };
  };
  deleteWebhook: {
    parameters: {
      path: {
        /** @description Id of the webhook. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  rotateWebhookSecret: {
    parameters: {
      header?: {
        /** @description Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of more than 64 KiB as what it made is now. 422: the key was used for another request. 409: the first request is still running. It has 1 to 255 printable ASCII characters; take a UUID. */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Id of the webhook. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookWithSecret"];
        };
      };
    };
  };
  testWebhook: {
    parameters: {
      header?: {
        /** @description Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of more than 64 KiB as what it made is now. 422: the key was used for another request. 409: the first request is still running. It has 1 to 255 printable ASCII characters; take a UUID. */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Id of the webhook. */
        id: number;
      };
    };
    responses: {
      /** @description Accepted */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookDelivery"];
        };
      };
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 200; a larger one counts as 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
      };
      path: {
        /** @description Id of the webhook. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookDeliveries"];
        };
      };
    };
  };
  replayWebhookDelivery: {
    parameters: {
      header?: {
        /** @description Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of more than 64 KiB as what it made is now. 422: the key was used for another request. 409: the first request is still running. It has 1 to 255 printable ASCII characters; take a UUID. */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Id of the webhook. */
        id: number;
        /** @description Id of the delivery. */
        deliveryId: number;
      };
    };
    responses: {
      /** @description Accepted */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookDelivery"];
        };
      };
    };
  };
  listUploads: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 200; a larger one counts as 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
        /** @description Number of items to skip, 10000 at most. Ignored with a `cursor`. */
        offset?: number;
        /** @description Lists only sessions with this status. */
        status?: "open" | "completing" | "ready" | "used" | "failed" | "aborted" | "expired";
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Uploads"];
        };
      };
    };
  };
  openUpload: {
    parameters: {
      header?: {
        /** @description Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of more than 64 KiB as what it made is now. 422: the key was used for another request. 409: the first request is still running. It has 1 to 255 printable ASCII characters; take a UUID. */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewUpload"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Upload"];
        };
      };
    };
  };
  getUpload: {
    parameters: {
      path: {
        /** @description Id of the upload session. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UploadWithParts"];
        };
      };
    };
  };
  abortUpload: {
    parameters: {
      path: {
        /** @description Id of the upload session. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  presignUploadParts: {
    parameters: {
      header?: {
        /** @description Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of more than 64 KiB as what it made is now. 422: the key was used for another request. 409: the first request is still running. It has 1 to 255 printable ASCII characters; take a UUID. */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Id of the upload session. */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PartNumbers"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PartUrls"];
        };
      };
    };
  };
  completeUpload: {
    parameters: {
      header?: {
        /** @description Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of more than 64 KiB as what it made is now. 422: the key was used for another request. 409: the first request is still running. It has 1 to 255 printable ASCII characters; take a UUID. */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Id of the upload session. */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CompletedParts"];
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Upload"];
        };
      };
    };
  };
  getApp: {
    parameters: {
      header?: {
        /** @description ETags of the client's copies. 304: one still matches. */
        "If-None-Match"?: string;
      };
      path: {
        /** @description Id of the app. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["App"];
        };
      };
    };
  };
  listMyApps: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 200; a larger one counts as 200. */
        limit?: number;
        /** @description `true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page. */
        linked_partitioning?: boolean;
        /** @description Opaque. Take it from `next_href`. */
        cursor?: string;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["OwnApps"];
        };
      };
    };
  };
  registerApp: {
    parameters: {
      header?: {
        /** @description Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of more than 64 KiB as what it made is now. 422: the key was used for another request. 409: the first request is still running. It has 1 to 255 printable ASCII characters; take a UUID. */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewApp"];
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AppWithSecret"];
        };
      };
    };
  };
  rotateAppSecret: {
    parameters: {
      header?: {
        /** @description Makes repeating safe: the same key, query and body return the first successful reply again, for 24 hours; one of more than 64 KiB as what it made is now. 422: the key was used for another request. 409: the first request is still running. It has 1 to 255 printable ASCII characters; take a UUID. */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Id of the app. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AppWithSecret"];
        };
      };
    };
  };
  deleteApp: {
    parameters: {
      path: {
        /** @description Id of the app. */
        id: number;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Status"];
        };
      };
    };
  };
  resolve: {
    parameters: {
      query: {
        /** @description Address of a user, a track, a playlist or an app: its page on the site, with the secret token at the end if it is private, or its resource in this API. Scheme, trailing slash and case of permalinks are ignored, and so are query and fragment except `secret_token`. 400: not an http address. 404: another host, or nothing that you can see. Nothing is ever fetched. */
        url: string;
        /** @description Opens a private resource, if the address does not carry the token. */
        secret_token?: string;
        /** @description `200` returns the resource instead of a redirect, in the older dialect. */
        "_status_code_map[302]"?: string;
      };
      header?: {
        /** @description ETags of the client's copies. 304: one still matches. */
        "If-None-Match"?: string;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Resolved"];
        };
      };
    };
  };
  getOembed: {
    parameters: {
      query: {
        /** @description Address of a track, a playlist or a user, as for `/resolve`. */
        url: string;
        /** @description Limits the width. Default: 100%. */
        maxwidth?: "100%" | number;
        /** @description Limits the height. Default: 166 for a track, 450 for a playlist or a user; 81 and 305 with the older widget. */
        maxheight?: number;
        /** @description Hex triplet. Colour of the player's buttons and waveform. */
        color?: string;
        /** @description If the browser allows it. */
        auto_play?: boolean;
        /** @description Shows comments in the waveform. */
        show_comments?: boolean;
        /** @description `false` returns the older widget's markup and heights. */
        iframe?: boolean;
        /** @description Default: `json`. `js` and `jsonp` need a `callback`. */
        format?: "json" | "xml" | "js" | "jsonp";
        /** @description Name of the JavaScript function that JSONP calls, such as `player.show`. */
        callback?: string;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Oembed"];
        };
      };
    };
  };
  checkHealth: {
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Healthy"];
        };
      };
    };
  };
  checkReadiness: {
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Readiness"];
        };
      };
    };
  };
  connect: {
    parameters: {
      query: {
        /** @description The app's, from `/you/apps`. */
        client_id: string;
        /** @description A registered address, letter by letter. For `http://127.0.0.1` and `http://[::1]` the port is free. */
        redirect_uri: string;
        /** @description `code` is redeemed at `/oauth2/token`. A token is never sent to an app's own scheme. */
        response_type: "code" | "token" | "code_and_token" | "token_and_code";
        /** @description PKCE, optional here: the base64url of the SHA-256 of a random `code_verifier`. */
        code_challenge?: string;
        /** @description Needed with a `code_challenge`. */
        code_challenge_method?: "S256";
        /** @description Random text, returned unchanged: compare it, so that nobody else begins a sign-in for your user. */
        state?: string;
        /** @description A small page, for pop-ups and phones. */
        display?: "popup";
        /** @description All mean the same. */
        scope?: "" | "*" | "non-expiring";
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
      };
    };
  };
  receiveTrackFinished: {
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description Name of the event.
           * @constant
           */
          type: "track.finished";
          /**
           * Format: date-time
           * @description Time of the event. `webhook-timestamp` is the time of sending.
           */
          timestamp: string;
          /** @description Content of the event. */
          data: {
            /** @description The track. */
            track: components["schemas"]["WebhookTrack"];
          };
        };
      };
    };
    responses: never;
  };
  receiveTrackFailed: {
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description Name of the event.
           * @constant
           */
          type: "track.failed";
          /**
           * Format: date-time
           * @description Time of the event. `webhook-timestamp` is the time of sending.
           */
          timestamp: string;
          /** @description Content of the event. */
          data: {
            /** @description The track. */
            track: components["schemas"]["WebhookTrack"];
            /** @description Null if none is known. */
            reason: {
              /** @description Stable name of the cause. */
              code: string;
              /** @description The cause in words. */
              message: string;
            } | null;
          };
        };
      };
    };
    responses: never;
  };
  receiveCommentCreated: {
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description Name of the event.
           * @constant
           */
          type: "comment.created";
          /**
           * Format: date-time
           * @description Time of the event. `webhook-timestamp` is the time of sending.
           */
          timestamp: string;
          /** @description Content of the event. */
          data: {
            /** @description The comment. */
            comment: components["schemas"]["WebhookComment"];
            /** @description The track. */
            track: components["schemas"]["WebhookTrack"];
            /** @description The user. */
            user: components["schemas"]["MiniUser"];
          };
        };
      };
    };
    responses: never;
  };
  receiveLikeCreated: {
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description Name of the event.
           * @constant
           */
          type: "like.created";
          /**
           * Format: date-time
           * @description Time of the event. `webhook-timestamp` is the time of sending.
           */
          timestamp: string;
          /** @description Content of the event. */
          data: {
            /** @description The track. */
            track: components["schemas"]["WebhookTrack"];
            /** @description The user. */
            user: components["schemas"]["MiniUser"];
          } | {
            /** @description The playlist. */
            playlist: components["schemas"]["WebhookPlaylist"];
            /** @description The user. */
            user: components["schemas"]["MiniUser"];
          };
        };
      };
    };
    responses: never;
  };
  receiveFollowCreated: {
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description Name of the event.
           * @constant
           */
          type: "follow.created";
          /**
           * Format: date-time
           * @description Time of the event. `webhook-timestamp` is the time of sending.
           */
          timestamp: string;
          /** @description Content of the event. */
          data: {
            /** @description The user. */
            user: components["schemas"]["MiniUser"];
          };
        };
      };
    };
    responses: never;
  };
  receiveWebhookTest: {
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description Name of the event.
           * @constant
           */
          type: "webhook.test";
          /**
           * Format: date-time
           * @description Time of the event. `webhook-timestamp` is the time of sending.
           */
          timestamp: string;
          /** @description Content of the event. */
          data: {
            /** @description The user. */
            user: components["schemas"]["MiniUser"];
          };
        };
      };
    };
    responses: never;
  };
}
