package org.apache.spark.sql.lamina.settings

import scala.util.Try

import io.lamina.LaminaConf

import org.apache.spark.sql.lamina.LaminaErrors

/** Typed reading of session settings; a value that is none is an error that names the key. */
class SessionSettings(lookup: String => Option[String]) {

  def get(key: String): Option[String] = lookup(key)

  def flag(conf: LaminaConf): Boolean =
    read(conf, Seq("true", "false"))(text => Try(text.trim.toLowerCase.toBoolean).toOption)

  def word(conf: LaminaConf, accepted: Seq[String]): String =
    read(conf, accepted)(text => accepted.find(_.equalsIgnoreCase(text.trim)))

  def positive(conf: LaminaConf): Int =
    read(conf, Seq("whole numbers from 1 on"))(text => Try(text.trim.toInt).toOption.filter(_ > 0))

  private def read[A](conf: LaminaConf, accepted: Seq[String])(parse: String => Option[A]): A = {
    val text = lookup(conf.key).getOrElse(conf.default)
    parse(text).getOrElse(throw LaminaErrors.invalidSetting(conf.key, text, accepted))
  }
}
