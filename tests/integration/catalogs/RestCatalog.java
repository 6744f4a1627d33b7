import java.net.InetSocketAddress;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.rest.RESTCatalogAdapter;
import org.apache.iceberg.rest.RESTCatalogServlet;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;

/**
 * Iceberg's own REST catalog on a free port of this machine, for the tables in one folder. Prints its address and
 * serves until its standard input ends, so that it never outlives the process that started it.
 */
public class RestCatalog {

  public static void main(String[] arguments) throws Exception {
    Server server = new Server(new InetSocketAddress("127.0.0.1", 0));
    server.setHandler(handler(tables(arguments[0])));
    server.start();
    System.out.println("http://127.0.0.1:" + server.getURI().getPort());
    while (System.in.read() >= 0) {}
    System.exit(0);
  }

  private static Catalog tables(String folder) {
    Map<String, String> properties =
        Map.of(
            "type", "jdbc",
            "uri", "jdbc:sqlite:" + folder + "/rest.db",
            "jdbc.schema-version", "V1",
            "warehouse", folder);
    return CatalogUtil.buildIcebergCatalog("rest", properties, new Configuration());
  }

  private static ServletContextHandler handler(Catalog catalog) {
    ServletContextHandler handler = new ServletContextHandler();
    handler.addServlet(new ServletHolder(new RESTCatalogServlet(new RESTCatalogAdapter(catalog))), "/*");
    return handler;
  }
}
