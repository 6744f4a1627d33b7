package org.apache.spark.sql.lamina.schema

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.{Cast, Literal}
import org.apache.spark.sql.types._

/** What may be stored as what: every pair of types, and that no value changes on the way. */
class CastRulesSuite extends AnyFunSuite {

  private val integers = Seq(ByteType, ShortType, IntegerType, LongType)

  private val decimals = Seq(
    DecimalType(3, 0),
    DecimalType(4, 1),
    DecimalType(5, 0),
    DecimalType(10, 0),
    DecimalType(10, 2),
    DecimalType(18, 9),
    DecimalType(19, 0),
    DecimalType(20, 2),
    DecimalType(38, 0),
    DecimalType(38, 18),
    DecimalType(38, 38))

  private val others = Seq(
    BooleanType, FloatType, DoubleType, StringType, CharType(3), VarcharType(3), BinaryType,
    DateType,
    TimestampType, TimestampNTZType, DayTimeIntervalType(), YearMonthIntervalType(), NullType)

  private val all: Seq[DataType] = integers ++ decimals ++ others

  /** "A source narrower than the target is cast up", as the contract lists it. */
  private def listed(source: DataType, target: DataType): Boolean = (source, target) match {
    case (a, b) if a == b => true
    case (NullType, _) => true
    case (ByteType, ShortType | IntegerType | LongType) => true
    case (ShortType, IntegerType | LongType) => true
    case (IntegerType, LongType) => true
    case (ByteType | ShortType | IntegerType, DoubleType) => true
    case (ByteType, d: DecimalType) => d.precision - d.scale >= 3
    case (ShortType, d: DecimalType) => d.precision - d.scale >= 5
    case (IntegerType, d: DecimalType) => d.precision - d.scale >= 10
    case (LongType, d: DecimalType) => d.precision - d.scale >= 19
    case (FloatType, DoubleType) => true
    case (a: DecimalType, b: DecimalType) =>
      b.scale >= a.scale && b.precision - b.scale >= a.precision - a.scale
    case (CharType(_) | VarcharType(_), StringType) => true
    case _ => false
  }

  all.foreach { source =>
    test(s"${source.sql} into every other type") {
      all.foreach { target =>
        assert(CastRules.canStore(source, target) == listed(source, target), s"into ${target.sql}")
      }
    }
  }

  test("what the contract calls a change of type") {
    Seq(
      LongType -> DoubleType,
      LongType -> IntegerType,
      IntegerType -> FloatType,
      DoubleType -> FloatType,
      DateType -> TimestampType,
      TimestampType -> TimestampNTZType,
      TimestampNTZType -> TimestampType,
      StringType -> IntegerType,
      StringType -> BinaryType,
      StringType -> DateType,
      IntegerType -> StringType,
      BooleanType -> IntegerType,
      DecimalType(10, 2) -> DoubleType,
      DecimalType(10, 2) -> DecimalType(10, 1),
      DecimalType(10, 2) -> DecimalType(11, 4),
      StringType -> VarcharType(3)).foreach { case (source, target) =>
      assert(!CastRules.canStore(source, target), s"${source.sql} into ${target.sql}")
    }
  }

  private val extremes: Seq[(DataType, Seq[Any])] =
    decimals.map { d =>
      val digits = BigDecimal(BigInt(10).pow(d.precision) - 1, d.scale)
      d -> Seq(Decimal(digits, d.precision, d.scale), Decimal(-digits, d.precision, d.scale))
    } ++ Seq(
      ByteType -> Seq(Byte.MinValue, Byte.MaxValue),
      ShortType -> Seq(Short.MinValue, Short.MaxValue),
      IntegerType -> Seq(Int.MinValue, Int.MaxValue, 0),
      LongType -> Seq(Long.MinValue, Long.MaxValue),
      FloatType -> Seq(Float.MinValue, Float.MaxValue, Float.MinPositiveValue, 0.1f))

  test("the extreme values of each type survive being cast up and back") {
    val pairs = for {
      (source, values) <- extremes
      target <- all
      if source != target && CastRules.canStore(source, target)
      value <- values
    } yield (source, target, value)
    assert(pairs.size > 80)
    pairs.foreach { case (source, target, value) =>
      val there = Cast(Literal.create(value, source), target)
      val back = Cast(there, source).eval()
      assert(back == value, s"${source.sql} $value into ${target.sql}: ${there.eval()}")
    }
  }
}
