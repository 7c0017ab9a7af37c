import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.jaxrs.json.JacksonJsonProvider;
import generated.model.*;
import generated.params.*;
import generated.providers.NoExplodeCollectionParamConverterProvider;
import generated.spec.*;
import generated.support.NoExplodeList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.ws.rs.ClientErrorException;
import javax.ws.rs.client.ClientBuilder;
import javax.ws.rs.client.ClientRequestFilter;
import org.jboss.resteasy.client.jaxrs.ResteasyWebTarget;

/** Makes an app's everyday calls with a client that OpenAPI Generator Plus makes of the API document. */
public class TypicalCalls {
  public static void main(String[] given) throws Exception {
    String url = given[0];
    String token = given[1];
    long trackId = Long.parseLong(given[2]);
    List<Long> others = List.of(Long.parseLong(given[3]), Long.parseLong(given[4]));
    ResteasyWebTarget target = connect(url, token);
    MeApiSpec me = target.proxy(MeApiSpec.class);
    TracksApiSpec tracks = target.proxy(TracksApiSpec.class);
    PlaylistsApiSpec playlists = target.proxy(PlaylistsApiSpec.class);
    UploadsApiSpec uploads = target.proxy(UploadsApiSpec.class);

    Map<String, Object> found = new LinkedHashMap<>();
    found.put("username", me.getMe(null).getUsername());
    found.put("track", tracks.getTrack(new GetTrackParams().id(trackId)).getId());
    NoExplodeList<Long> ids = new NoExplodeList<>();
    ids.add(trackId);
    Tracks page = tracks.listTracks(new ListTracksParams().ids(ids).limit(1).linkedPartitioning(true));
    found.put("titles", ((Tracks.ObjectValue) page).getCollection().stream().map(Track::getTitle).toList());

    for (long other : others) me.follow(other);
    UserPage first = me.listMyFollowings(new ListMyFollowingsParams().limit(1));
    String cursor = first.getNextHref().replaceFirst(".*[?&]cursor=([^&]*).*", "$1");
    UserPage second = me.listMyFollowings(new ListMyFollowingsParams().limit(1).cursor(cursor));
    found.put("followings", List.of(onlyId(first), onlyId(second)));

    NewPlaylist.Playlist asked = new NewPlaylist.Playlist().title("Mine");
    asked.sharing(NewPlaylist.Playlist.SharingEnum.PRIVATE);
    asked.tracks().add(new NewPlaylist.Playlist.Track().id(trackId));
    NewPlaylist playlist = new NewPlaylist();
    playlist.setPlaylist(asked);
    Playlist created = playlists.createPlaylist(new CreatePlaylistParams(), playlist);
    found.put("playlist", Map.of("title", created.getTitle(), "tracks", created.getTrackCount()));
    playlists.deletePlaylist(new DeletePlaylistParams().id(created.getId()));

    NewComment.Comment words = new NewComment.Comment();
    words.body("Hello").timestamp(1_000L);
    NewComment comment = new NewComment();
    comment.setComment(words);
    found.put("at", tracks.createComment(new CreateCommentParams().id(trackId), comment).getTimestamp().orElse(0L));

    Upload upload = uploads.openUpload(new OpenUploadParams(), new NewUpload().filename("a.wav").size(4_000_000_000L).type("audio/wav"));
    found.put("size", upload.getSize());
    uploads.abortUpload(upload.getId());

    try {
      tracks.getTrack(new GetTrackParams().id(1L));
    } catch (ClientErrorException refused) {
      generated.model.Error error = refused.getResponse().readEntity(generated.model.Error.class);
      found.put("refused", error.getErrors().get(0).getErrorMessage());
    }
    System.out.println(new ObjectMapper().writeValueAsString(found));
  }

  private static long onlyId(UserPage page) {
    return page.getCollection().get(0).getId();
  }

  /** Reads lists as pages, because the calls ask for `linked_partitioning`. */
  private static ResteasyWebTarget connect(String url, String token) {
    ObjectMapper json = new ObjectMapper();
    json.configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);
    json.setSerializationInclusion(JsonInclude.Include.NON_NULL);
    json.registerModule(new OptionalModule());
    json.registerModule(new SimpleModule().addAbstractTypeMapping(Tracks.class, Tracks.ObjectValue.class));
    ClientRequestFilter authorize = (request) -> request.getHeaders().add("Authorization", "Bearer " + token);
    return (ResteasyWebTarget)
        ClientBuilder.newClient()
            .register(new JacksonJsonProvider(json))
            .register(new NoExplodeCollectionParamConverterProvider())
            .register(authorize)
            .target(url);
  }
}
