package io.swagger.v3.oas.annotations.responses;

public @interface ApiResponse {
  String responseCode();

  String description();

  io.swagger.v3.oas.annotations.media.Content[] content() default {};
}
