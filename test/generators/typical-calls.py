"""Makes an app's everyday calls with a client that OpenAPI Generator makes of the API document, and prints what came."""

import json
import sys
from urllib.parse import parse_qs, urlsplit

import generated_api as api

url, token, *ids = sys.argv[1:]
track_id, *others = map(int, ids)
configuration = api.Configuration(host=url)
configuration.access_token = token
client = api.ApiClient(configuration)
me, tracks, playlists, uploads = (
    of(client) for of in (api.MeApi, api.TracksApi, api.PlaylistsApi, api.UploadsApi)
)
found = {"username": me.get_me().username, "track": tracks.get_track(track_id).id}

page = tracks.list_tracks(ids=[track_id], limit=1, linked_partitioning=True)
found["titles"] = [track["title"] for track in page["collection"]]

# The client has one type for a success, and a new follow is answered otherwise than a repeated one.
for other in others:
    me.follow(other, _preload_content=False)
first = me.list_my_followings(limit=1)
cursor = parse_qs(urlsplit(first.next_href).query)["cursor"][0]
second = me.list_my_followings(limit=1, cursor=cursor)
found["followings"] = [user.id for user in first.collection + second.collection]

asked = api.NewPlaylistPlaylist(title="Mine", sharing="private", tracks=[{"id": track_id}])
created = playlists.create_playlist(api.NewPlaylist(playlist=asked))
found["playlist"] = {"title": created.title, "tracks": created.track_count}
playlists.delete_playlist(created.id)

words = api.NewComment(comment=api.NewCommentComment(body="Hello", timestamp=1_000))
found["at"] = tracks.create_comment(track_id, words).timestamp

upload = uploads.open_upload(api.NewUpload(filename="a.wav", size=4_000_000_000, type="audio/wav"))
found["size"] = upload.size
uploads.abort_upload(upload.id)

try:
    tracks.get_track(1)
except api.ApiException as refused:
    found["refused"] = json.loads(refused.body)["errors"][0]["error_message"]

print(json.dumps(found))
