#!/usr/bin/env perl
# Makes an app's everyday calls with a client that OpenAPI::Client makes of the API document, and prints what came.
use strict;
use warnings;
use Mojo::File 'path';
use Mojo::JSON qw(decode_json encode_json);
use OpenAPI::Client;

my ($document, $token, $track, $user, $permalink) = @ARGV;
my $api = OpenAPI::Client->new(decode_json(path($document)->slurp));
$api->ua->on(start => sub { $_[1]->req->headers->authorization("OAuth $token") });

my (%statuses, %bodies);

sub ask {
  my ($name, $operation, @input) = @_;
  my $reply = $api->call($operation, @input)->res;
  $statuses{$name} = 0 + $reply->code;
  return $bodies{$name} = $reply->json;
}

my $comment  = {comment => {body => 'Hello', timestamp => 1000}};
my $playlist = {playlist => {title => 'Mine', sharing => 'private', tracks => [{id => 0 + $track}]}};
my $changes  = {track => {title => 'Changed', bpm => 120.5, downloadable => Mojo::JSON->true, genre => undef}};

ask(me => 'getMe');
ask(track => 'getTrack', {id => $track});
ask(search => 'listTracks', {q => 'typical', limit => 5, ids => [$track], linked_partitioning => Mojo::JSON->true});
ask(changed => 'updateTrack', {id => $track}, json => $changes);
ask(streams => 'getTrackStreams', {id => $track});
ask(comment => 'createComment', {id => $track}, json => $comment);
ask(comments => 'listTrackComments', {id => $track, limit => 1});
ask(like => 'likeTrack', {id => $track});
ask(unlike => 'unlikeTrack', {id => $track});
ask(follow => 'follow', {userId => $user});
ask(followings => 'listMyFollowings');
ask(user => 'getUser', {id => $user});
ask(users => 'listUsers', {q => 'nobody'});
ask(playlist => 'createPlaylist', undef, json => $playlist);
ask(playlists => 'listMyPlaylists', {show_tracks => Mojo::JSON->false});
ask(removed => 'deletePlaylist', {id => $bodies{playlist}{id}});
ask(feed => 'listFeed', {limit => 10});
ask(resolved => 'resolve', {url => $permalink});
ask(upload => 'openUpload', undef, json => {filename => 'a.wav', size => 1000, type => 'audio/wav'});
ask(aborted => 'abortUpload', {id => $bodies{upload}{id}});
ask(missing => 'getTrack', {id => 1});
# Refused by the generated client itself, by the document.
ask(refused => 'listTracks', {limit => 'many'});

print encode_json({statuses => \%statuses, bodies => \%bodies});
