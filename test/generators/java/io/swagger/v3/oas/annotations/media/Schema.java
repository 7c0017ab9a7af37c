package io.swagger.v3.oas.annotations.media;

public @interface Schema {
  String name() default "";

  String description() default "";

  Class<?> implementation() default Void.class;

  RequiredMode requiredMode() default RequiredMode.NOT_REQUIRED;

  enum RequiredMode {
    REQUIRED,
    NOT_REQUIRED
  }
}
