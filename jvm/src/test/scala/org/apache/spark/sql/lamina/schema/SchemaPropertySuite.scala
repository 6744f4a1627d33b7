package org.apache.spark.sql.lamina.schema

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.lamina.settings.PolicyKind
import org.apache.spark.sql.types._

/** Random targets, and sources that lack, add, reorder and narrow some of their fields. */
class SchemaPropertySuite extends AnyFunSuite {

  private val rounds = 300
  private val sameName = NameMatch(caseSensitive = false)

  (1 to 4).foreach { seed =>
    test(s"append_new_columns gives the union, and keeps every value: seed $seed") {
      val random = new Random(seed)
      (1 to rounds).foreach { round =>
        val target = struct(random, depth = 3)
        val source = mutated(target, random, depth = 3)
        withClue(s"seed $seed, round $round\nsource ${source.sql}\ntarget ${target.sql}\n") {
          check(source, target, random)
        }
      }
    }
  }

  private def check(source: StructType, target: StructType, random: Random): Unit = {
    val diff = SchemaDiff.compare(source, target, sameName)
    val change = SchemaChange.decide(diff, PolicyKind.AppendNewColumns, "t")
    val evolved = change.added.foldLeft(target)((schema, field) => add(schema, field))
    assert(evolved == union(target, source))
    assert(SchemaDiff.compare(source, evolved, sameName).added.isEmpty)
    assert(SchemaDiff.compare(target, evolved, sameName).missing.map(_.name).toSet ==
      change.added.map(_.name).toSet)

    val columns = Alignment.columns(DataTypeUtils.toAttributes(source), evolved, sameName)
    assert(columns.map(_.name) == evolved.fieldNames.toSeq)
    val row = value(source, random).asInstanceOf[Row]
    assert(Rows.align(row, source, evolved, sameName) == expected(row, source, evolved))

    val ignored = SchemaChange.decide(diff, PolicyKind.Ignore, "t")
    assert(ignored.ignored.map(_.name) == change.added.map(_.name))
    assert(ignored.padded == change.padded)
    assert(Rows.align(row, source, target, sameName) == expected(row, source, target))
  }

  // Schemas

  private def struct(random: Random, depth: Int): StructType =
    StructType((1 to 1 + random.nextInt(4)).map(i => StructField(s"c$i", dataType(random, depth))))

  private val atoms: Seq[DataType] =
    Seq(LongType, DoubleType, StringType, DateType, DecimalType(20, 2), BooleanType)

  private def dataType(random: Random, depth: Int): DataType =
    if (depth == 0 || random.nextInt(3) > 0) atoms(random.nextInt(atoms.size))
    else random.nextInt(3) match {
      case 0 => struct(random, depth - 1)
      case 1 => ArrayType(dataType(random, depth - 1))
      case _ => MapType(StringType, dataType(random, depth - 1))
    }

  /** Some fields fewer, some more, narrower, in another order and in other letters. */
  private def mutated(target: StructType, random: Random, depth: Int): StructType = {
    val kept = target.fields.filter(_ => random.nextInt(4) > 0).map { field =>
      val name = if (random.nextInt(4) == 0) field.name.toUpperCase else field.name
      StructField(name, mutated(field.dataType, random, depth - 1))
    }
    val more = (0 until random.nextInt(3)).map { i =>
      StructField(s"n$i", dataType(random, depth - 1))
    }
    val fields = random.shuffle(kept.toSeq ++ more)
    StructType(if (fields.isEmpty) target.fields.take(1).toSeq else fields)
  }

  private def mutated(dataType: DataType, random: Random, depth: Int): DataType = dataType match {
    case struct: StructType => mutated(struct, random, depth)
    case ArrayType(element, nulls) => ArrayType(mutated(element, random, depth), nulls)
    case MapType(key, item, nulls) => MapType(key, mutated(item, random, depth), nulls)
    case LongType if random.nextBoolean() => IntegerType
    case DoubleType if random.nextBoolean() => FloatType
    case _: DecimalType if random.nextBoolean() => DecimalType(9, 1)
    case other => other
  }

  /** The target's fields in their order, then the source's new ones in theirs. */
  private def union(target: StructType, source: StructType): StructType = {
    val known = target.fields.map { field =>
      find(source, field.name) match {
        case Some(i) => field.copy(dataType = union(field.dataType, source(i).dataType))
        case None => field
      }
    }
    StructType(known ++ source.fields.filter(field => find(target, field.name).isEmpty))
  }

  private def union(target: DataType, source: DataType): DataType = (target, source) match {
    case (a: StructType, b: StructType) => union(a, b)
    case (ArrayType(a, nulls), ArrayType(b, _)) => ArrayType(union(a, b), nulls)
    case (MapType(key, a, nulls), MapType(_, b, _)) => MapType(key, union(a, b), nulls)
    case _ => target
  }

  private def add(schema: StructType, added: NewField): StructType =
    add(schema, added.parent, added.field).asInstanceOf[StructType]

  private def add(dataType: DataType, parent: Seq[String], added: StructField): DataType =
    (dataType, parent) match {
      case (struct: StructType, Nil) => struct.add(added)
      case (struct: StructType, name +: rest) =>
        StructType(struct.fields.map { field =>
          if (field.name == name) field.copy(dataType = add(field.dataType, rest, added)) else field
        })
      case (ArrayType(element, nulls), "element" +: rest) =>
        ArrayType(add(element, rest, added), nulls)
      case (MapType(key, item, nulls), "value" +: rest) =>
        MapType(key, add(item, rest, added), nulls)
      case _ => fail(s"no ${parent.mkString(".")} in ${dataType.sql}")
    }

  private def find(schema: StructType, name: String): Option[Int] =
    Some(schema.fields.indexWhere(_.name.equalsIgnoreCase(name))).filter(_ >= 0)

  // Values

  private def value(dataType: DataType, random: Random): Any =
    if (random.nextInt(6) == 0 && !dataType.isInstanceOf[StructType]) null
    else dataType match {
      case struct: StructType =>
        Row.fromSeq(struct.fields.toSeq.map(field =>
          nullable(value(field.dataType, random), random)))
      case ArrayType(element, _) => Seq.fill(random.nextInt(3))(value(element, random))
      case MapType(_, item, _) =>
        (0 until random.nextInt(3)).map(i => s"k$i" -> value(item, random)).toMap
      case LongType => random.nextLong()
      case IntegerType => random.nextInt()
      case DoubleType => random.nextInt(1000) / 8.0
      case FloatType => random.nextInt(1000) / 8.0f
      case StringType => random.nextString(random.nextInt(4))
      case DateType => java.sql.Date.valueOf(s"2024-02-${10 + random.nextInt(19)}")
      case BooleanType => random.nextBoolean()
      case decimal: DecimalType =>
        java.math.BigDecimal.valueOf(random.nextInt(9999).toLong, decimal.scale)
      case other => fail(s"no values of ${other.sql}")
    }

  private def nullable(value: Any, random: Random): Any =
    if (random.nextInt(8) == 0) null else value

  private def expected(row: Row, source: StructType, target: StructType): Row =
    Row.fromSeq(target.fields.toSeq.map { field =>
      find(source, field.name) match {
        case Some(i) => expected(row.get(i), source(i).dataType, field.dataType)
        case None => null
      }
    })

  private def expected(value: Any, source: DataType, target: DataType): Any =
    (value, source, target) match {
      case (null, _, _) => null
      case (row: Row, from: StructType, to: StructType) => expected(row, from, to)
      case (items: Seq[_], ArrayType(from, _), ArrayType(to, _)) => items.map(expected(_, from, to))
      case (items: Map[_, _], MapType(_, from, _), MapType(_, to, _)) =>
        items.map { case (key, item) => key -> expected(item, from, to) }
      case (i: Int, IntegerType, LongType) => i.toLong
      case (f: Float, FloatType, DoubleType) => f.toDouble
      case (d: java.math.BigDecimal, _, to: DecimalType) => d.setScale(to.scale)
      case _ => value
    }
}
