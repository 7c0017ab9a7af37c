package io.swagger.v3.oas.annotations.media;

public @interface Content {
  String mediaType();

  Schema schema() default @Schema;
}
