package io.lamina

/** A session setting that is not an option of the statement. */
final case class LaminaConf private (key: String, default: String, doc: String)

/** `SET spark.sql.lamina.<name> = <value>`. */
object LaminaConf {

  val CreateTarget: LaminaConf = LaminaConf(
    "spark.sql.lamina.createTarget",
    "true",
    "Whether MERGE STRATEGY creates a target that does not exist.")

  val AllowHistoryRewrite: LaminaConf = LaminaConf(
    "spark.sql.lamina.allowHistoryRewrite",
    "false",
    "Whether a table that holds scd2 history may be written by another strategy.")

  val MissingOption: LaminaConf = LaminaConf(
    "spark.sql.lamina.missingOption",
    "error",
    "What a strategy without its required option is: `error`, or `full_refresh` with a warning (never on scd2 history).")

  val MaxAttempts: LaminaConf = LaminaConf(
    "spark.sql.lamina.maxAttempts",
    "5",
    "How often a statement that lost a race against another writer is planned anew before it fails.")

  val all: Seq[LaminaConf] = Seq(CreateTarget, AllowHistoryRewrite, MissingOption, MaxAttempts)
}
