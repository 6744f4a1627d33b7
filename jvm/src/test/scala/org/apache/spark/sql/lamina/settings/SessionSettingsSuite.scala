package org.apache.spark.sql.lamina.settings

import io.lamina.LaminaConf
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.lamina.ErrorAssertions

/** Settings of the session that are not options of a statement. */
class SessionSettingsSuite extends AnyFunSuite with ErrorAssertions {

  private def session(entries: (LaminaConf, String)*): SessionSettings =
    new SessionSettings(entries.map { case (conf, value) => conf.key -> value }.toMap.get)

  test("what is not set has its default") {
    assert(session().flag(LaminaConf.CreateTarget))
    assert(!session().flag(LaminaConf.AllowHistoryRewrite))
    assert(session().positive(LaminaConf.MaxAttempts) == 5)
  }

  test("what is set counts") {
    assert(!session(LaminaConf.CreateTarget -> "false").flag(LaminaConf.CreateTarget))
    assert(session(LaminaConf.AllowHistoryRewrite -> " TRUE ").flag(LaminaConf.AllowHistoryRewrite))
    assert(session(LaminaConf.MaxAttempts -> " 12 ").positive(LaminaConf.MaxAttempts) == 12)
  }

  test("nonsense is an error that names the key") {
    Seq("", "yes", "1").foreach { text =>
      val thrown = analysisError("LAMINA_INVALID_SETTING")(
        session(LaminaConf.CreateTarget -> text).flag(LaminaConf.CreateTarget))
      assert(thrown.getMessage.contains("spark.sql.lamina.createTarget"))
      assert(thrown.getMessage.contains("true, false"))
    }
    Seq("", "0", "-1", "1.5", "many", "99999999999").foreach { text =>
      val thrown = analysisError("LAMINA_INVALID_SETTING")(
        session(LaminaConf.MaxAttempts -> text).positive(LaminaConf.MaxAttempts))
      assert(thrown.getMessageParameters.get("setting") == "spark.sql.lamina.maxAttempts")
    }
  }

  test("every setting is listed, has a key of its own and says what it is for") {
    val keys = LaminaConf.all.map(_.key)
    assert(keys.distinct == keys)
    LaminaConf.all.foreach { conf =>
      assert(conf.key.matches("spark\\.sql\\.lamina\\.[a-z][a-zA-Z]*"))
      assert(conf.doc.endsWith("."))
    }
    assert(!keys.exists(SettingField.stored.map(_.sessionKey).contains))
  }
}
