package org.apache.spark.sql.lamina.iceberg

import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.node.ObjectNode

/** Iceberg lets a snapshot's summary be set only before the figures are known; its JSON can be edited. */
private[iceberg] object SnapshotJson {

  private val mapper = new ObjectMapper()

  def addToSummary(snapshot: String, entries: Map[String, String]): String = {
    val root = mapper.readTree(snapshot).asInstanceOf[ObjectNode]
    val summary = root.get("summary").asInstanceOf[ObjectNode]
    entries.foreach { case (key, value) => summary.put(key, value) }
    mapper.writeValueAsString(root)
  }
}
